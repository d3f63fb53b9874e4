package io.tranche.policy.weights;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The element types that files may hold; all are converted to float32.
///
/// Half, bfloat16 and int8 convert exactly. A float64 is rounded to the nearest float32, and
/// rejected if a finite number would become infinite. An int64 must be exact in float32.
enum ElementType {
  FLOAT("FloatStorage", "F32", 4),
  HALF("HalfStorage", "F16", 2),
  BFLOAT16("BFloat16Storage", "BF16", 2),
  DOUBLE("DoubleStorage", "F64", 8),
  LONG("LongStorage", "I64", 8),
  /// Only in our own files: torch does not store weights as bytes.
  BYTE(null, "I8", 1);

  private final @Nullable String torchStorage;
  private final String safeTensors;
  private final int bytes;

  ElementType(@Nullable String torchStorage, String safeTensors, int bytes) {
    this.torchStorage = torchStorage;
    this.safeTensors = safeTensors;
    this.bytes = bytes;
  }

  /// Returns the type of a torch storage class, or null.
  static @Nullable ElementType ofTorch(String storage) {
    return find(each -> storage.equals(each.torchStorage));
  }

  /// Returns the type with a safetensors name, or null.
  static @Nullable ElementType ofSafeTensors(String name) {
    return find(each -> each.safeTensors.equals(name));
  }

  private static @Nullable ElementType find(Predicate<ElementType> isIt) {
    return Arrays.stream(values()).filter(isIt).findFirst().orElse(null);
  }

  String safeTensorsName() {
    return safeTensors;
  }

  int bytes() {
    return bytes;
  }

  /// Returns element `index` of `data` as float32.
  float read(String where, ByteBuffer data, int index) {
    int at = index * bytes;
    return switch (this) {
      case FLOAT -> data.getFloat(at);
      case HALF -> Float.float16ToFloat(data.getShort(at));
      case BFLOAT16 -> Float.intBitsToFloat(data.getShort(at) << 16);
      case DOUBLE -> narrow(where, data.getDouble(at));
      case LONG -> narrow(where, data.getLong(at));
      case BYTE -> data.get(at);
    };
  }

  private static float narrow(String where, double value) {
    float narrowed = (float) value;
    if (Float.isInfinite(narrowed) && !Double.isInfinite(value)) {
      throw new CheckpointException(where, "numbers within the range of float32", value);
    }
    return narrowed;
  }

  private static float narrow(String where, long value) {
    float narrowed = value;
    // 2^63 as a float casts back to Long.MAX_VALUE, although the two differ.
    if ((long) narrowed != value || value == Long.MAX_VALUE) {
      throw new CheckpointException(where, "integers that a float32 holds", value);
    }
    return narrowed;
  }
}
