package io.tranche.policy.weights;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Weights as the bytes of a safetensors file in a given [Precision].
///
/// An INT8 matrix is stored as a tensor `NAME` of I8 and a tensor `NAME.scale` of F32 with one
/// number per row.
public final class PackedWeights {

  private static final String SCALE = ".scale";

  private PackedWeights() {}

  /// A tensor as stored in a file.
  ///
  /// @param suffix what follows the name
  /// @param bytes little-endian, read and never changed
  record Piece(String suffix, ElementType type, List<Integer> shape, ByteBuffer bytes) {}

  /// Returns `weights` as bytes.
  ///
  /// @param weights rounded by [Quantiser#round] for this precision
  /// @throws IllegalArgumentException if `precision` cannot hold them
  public static byte[] write(StateDict weights, Precision precision) {
    return new SafeTensors(weights, Map.of()).toBytes(precision);
  }

  static List<Piece> pieces(String name, Tensor tensor, Precision precision) {
    if (precision == Precision.HALF) {
      return List.of(half(name, tensor));
    }
    if (precision.isInBytes(tensor)) {
      return scales(name, tensor);
    }
    return List.of(
        new Piece("", ElementType.FLOAT, tensor.shape(), ByteBuffer.wrap(tensor.littleEndian())));
  }

  private static Piece half(String name, Tensor tensor) {
    ByteBuffer bytes = buffer(tensor.size(), Short.BYTES);
    for (int i = 0; i < tensor.size(); i++) {
      short half = Float.floatToFloat16(tensor.at(i));
      requireExact(name, Float.float16ToFloat(half), tensor.at(i));
      bytes.putShort(half);
    }
    return new Piece("", ElementType.HALF, tensor.shape(), bytes.flip());
  }

  private static List<Piece> scales(String name, Tensor matrix) {
    float[] values = matrix.toArray();
    int width = Quantiser.width(matrix);
    int rows = values.length / width;
    ByteBuffer codes = ByteBuffer.allocate(values.length);
    ByteBuffer scales = buffer(rows, Float.BYTES);
    for (int row = 0; row < rows; row++) {
      // The largest number of a row is 127 times its scale.
      float scale = Quantiser.largest(values, row * width, width) / Quantiser.LEVELS;
      scales.putFloat(scale);
      for (int i = row * width; i < (row + 1) * width; i++) {
        byte code = scale == 0 ? 0 : (byte) Math.rint(values[i] / scale);
        requireExact(name, code * scale, values[i]);
        codes.put(code);
      }
    }
    return List.of(
        new Piece("", ElementType.BYTE, matrix.shape(), codes.flip()),
        new Piece(SCALE, ElementType.FLOAT, List.of(rows), scales.flip()));
  }

  private static ByteBuffer buffer(int count, int bytes) {
    return ByteBuffer.allocate(Math.multiplyExact(count, bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void requireExact(String name, float stored, float value) {
    if (stored != value) {
      throw new IllegalArgumentException(
          "%s must be rounded to the stored precision, was %s instead of %s"
              .formatted(name, value, stored));
    }
  }

  /// Reads the bytes that [#write] returned.
  ///
  /// @param where the name of the bytes in error messages
  /// @throws CheckpointException if the bytes are damaged or hold weights in another precision
  public static StateDict read(String where, byte[] bytes, Precision precision) {
    Map<String, ElementType> types = SafeTensors.types(where, bytes);
    StateDict stored = SafeTensors.read(where, bytes).tensors();
    var result = new LinkedHashMap<String, Tensor>();
    Map<Tensor, Tensor> unpacked = new HashMap<>(); // by identity: names may share a tensor
    var used = new ArrayList<String>();
    for (var named : stored.tensors().entrySet()) {
      String name = named.getKey();
      ElementType type = types.get(name);
      if (type == null || isScaleOf(name, types)) {
        continue;
      }
      Tensor tensor = named.getValue();
      require(where + ": " + name, expected(precision, tensor), type);
      if (precision.isInBytes(tensor)) {
        used.add(name + SCALE);
        tensor = unpack(where + ": " + name, tensor, stored.tensor(name + SCALE));
      }
      unpacked.put(named.getValue(), tensor);
    }
    for (var named : stored.tensors().entrySet()) {
      if (!used.contains(named.getKey())) {
        Tensor tensor = unpacked.get(named.getValue());
        if (tensor == null) {
          throw new CheckpointException(where, "a matrix to be scaled", named.getKey());
        }
        result.put(named.getKey(), tensor);
      }
    }
    return new StateDict(result);
  }

  private static boolean isScaleOf(String name, Map<String, ElementType> types) {
    return name.endsWith(SCALE)
        && types.get(name.substring(0, name.length() - SCALE.length())) == ElementType.BYTE;
  }

  private static ElementType expected(Precision precision, Tensor tensor) {
    return switch (precision) {
      case FLOAT32 -> ElementType.FLOAT;
      case HALF -> ElementType.HALF;
      case INT8 -> precision.isInBytes(tensor) ? ElementType.BYTE : ElementType.FLOAT;
    };
  }

  private static void require(String where, ElementType expected, ElementType found) {
    if (expected != found) {
      throw new CheckpointException(
          where, "numbers of " + expected.safeTensorsName(), found.safeTensorsName());
    }
  }

  private static Tensor unpack(String where, Tensor codes, @Nullable Tensor scales) {
    float[] values = codes.toArray();
    int width = Quantiser.width(codes);
    int rows = values.length / width;
    if (scales == null || !scales.shape().equals(List.of(rows))) {
      throw new CheckpointException(
          where + SCALE,
          "%d scales, one per row".formatted(rows),
          scales == null ? "none" : scales);
    }
    for (int i = 0; i < values.length; i++) {
      float scale = scales.at(i / width);
      if (!Quantiser.isScale(scale)) {
        throw new CheckpointException(
            where + SCALE, "scales that are not negative and have at most 17 binary digits", scale);
      }
      if (Math.abs(values[i]) > Quantiser.LEVELS) {
        throw new CheckpointException(where, "numbers from -127 to 127", values[i]);
      }
      values[i] *= scale;
    }
    return Tensor.owning(codes.shape(), values);
  }
}
