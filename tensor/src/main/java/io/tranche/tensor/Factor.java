package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import org.jspecify.annotations.Nullable;

/// A matrix of weights by which rows are multiplied.
///
/// It is in float32, among its [Weights], until [Weights#pack] finds that fewer bits hold all its
/// numbers; products keep their bits.
///
/// Hot path: [#multiply] allocates nothing.
final class Factor {

  private static final Kernels KERNELS = Kernels.best();

  /// The size of a matrix, 256 by 256, from which the processor's nearest caches do not hold it in
  /// float32: fewer bits are faster in any shape.
  private static final int LARGE = 1 << 16;

  /// The least size of a matrix that is faster in bytes, 64 by 64, if its outputs fill whole tiles
  /// of the kernels. Halves take longer to become floats, so only large matrices gain from them.
  private static final int LEAST_IN_BYTES = 1 << 12;

  private static final int TILE = 64;

  /// Bytes are multiples of a row's scale, from -127 to 127.
  private static final int LEVELS = 127;

  private final Weights weights;
  private final Parameter parameter;

  /// Laid out like the parameter; null unless the matrix is packed so.
  private byte @Nullable [] bytes;

  private short @Nullable [] halves;
  private float[] scales = new float[0];

  Factor(Weights weights, Parameter parameter) {
    this.weights = weights;
    this.parameter = parameter;
  }

  Parameter parameter() {
    return parameter;
  }

  /// Sets `y = start + x m` for `count` rows and `outputs` outputs from `first` on, as
  /// [Kernels#multiply].
  void multiply(
      int count,
      int first,
      int outputs,
      float[] x,
      int xAt,
      int xRow,
      float[] start,
      int startAt,
      int startRow,
      float[] y,
      int yAt,
      int yRow) {
    int k = parameter.columns();
    int stride = parameter.rows();
    byte[] eight = bytes;
    short[] sixteen = halves;
    if (eight != null) {
      KERNELS.multiplyBytes(
          count, outputs, k, x, xAt, xRow, eight, first, stride, scales, first, start, startAt,
          startRow, y, yAt, yRow);
    } else if (sixteen != null) {
      KERNELS.multiplyHalves(
          count, outputs, k, x, xAt, xRow, sixteen, first, stride, start, startAt, startRow, y, yAt,
          yRow);
    } else {
      KERNELS.multiply(
          count,
          outputs,
          k,
          x,
          xAt,
          xRow,
          1,
          weights.values(),
          parameter.offset() + first,
          stride,
          start,
          startAt,
          startRow,
          y,
          yAt,
          yRow);
    }
  }

  /// Takes the numbers out of float32 if fewer bits hold them all and that is faster.
  ///
  /// @return whether it did
  boolean pack() {
    boolean isLarge = parameter.size() >= LARGE;
    boolean fits = parameter.size() >= LEAST_IN_BYTES && parameter.rows() % TILE == 0;
    return ((isLarge || fits) && packBytes()) || (isLarge && packHalves());
  }

  /// Returns the bytes that the packed matrix takes.
  long packedBytes() {
    return (bytes == null ? 0 : bytes.length + (long) Float.BYTES * scales.length)
        + (halves == null ? 0 : (long) Short.BYTES * halves.length);
  }

  private boolean packBytes() {
    float[] w = weights.values();
    int rows = parameter.rows();
    byte[] codes = new byte[parameter.size()];
    float[] found = new float[rows];
    for (int row = 0; row < rows; row++) {
      int from = parameter.offset() + row;
      float largest = 0;
      for (int i = 0; i < parameter.size(); i += rows) {
        largest = Math.max(largest, Math.abs(w[from + i]));
      }
      float scale = largest / LEVELS;
      for (int i = 0; i < parameter.size(); i += rows) {
        byte code = scale == 0 ? 0 : (byte) Math.rint(w[from + i] / scale);
        if (differ(code * scale, w[from + i])) {
          return false;
        }
        codes[row + i] = code;
      }
      found[row] = scale;
    }
    scales = found;
    bytes = codes;
    return true;
  }

  private boolean packHalves() {
    float[] w = weights.values();
    short[] codes = new short[parameter.size()];
    for (int i = 0; i < codes.length; i++) {
      float number = w[parameter.offset() + i];
      codes[i] = Float.floatToFloat16(number);
      if (!Float.isFinite(number) || differ(Float.float16ToFloat(codes[i]), number)) {
        return false;
      }
    }
    halves = codes;
    return true;
  }

  /// Zeros of different signs differ: they can give sums of different signs.
  private static boolean differ(float one, float other) {
    return Float.floatToRawIntBits(one) != Float.floatToRawIntBits(other);
  }
}
