package io.tranche.policy.weights;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Rounds weights to numbers that a [Precision] can store.
///
/// In INT8, each row of a matrix (one output channel) consists of multiples of a scale, from -127
/// to 127 times it. The scale keeps 17 of float32's 24 binary digits, so every multiple is exact in
/// float32, and rounded weights are stored and read back without further rounding.
public final class Quantiser {

  /// Clip factors worth trying for a matrix, beginning with no clipping.
  public static final List<Double> CLIPS = List.of(1.0, 0.95, 0.9, 0.8, 0.7);

  /// Number of multiples on each side of zero.
  static final int LEVELS = 127;

  /// The seven low binary digits, as many as [#LEVELS] has.
  private static final int SPARE_DIGITS = 0x7f;

  private static final float MOST_HALF = 65_504;

  private Quantiser() {}

  /// Returns rounded `weights`; names that shared a tensor still share one.
  ///
  /// @param clip the range of each matrix row as a fraction of its largest absolute value, in (0,
  ///   1]; larger numbers are clipped to the range
  /// @throws CheckpointException if a number is not finite, or too large for half precision
  public static StateDict round(
      StateDict weights, Precision precision, ToDoubleFunction<Tensor> clip) {
    Map<Tensor, Tensor> rounded = new LinkedHashMap<>(); // by identity: tensors have no equals
    var result = new LinkedHashMap<String, Tensor>();
    weights
        .tensors()
        .forEach(
            (name, tensor) -> {
              Tensor made = rounded.get(tensor);
              if (made == null) {
                made = round(name, tensor, precision, clip);
                rounded.put(tensor, made);
              }
              result.put(name, made);
            });
    return new StateDict(result);
  }

  private static Tensor round(
      String name, Tensor tensor, Precision precision, ToDoubleFunction<Tensor> clip) {
    if (!tensor.isFinite()) {
      throw new CheckpointException(name, "finite numbers", "a NaN or an infinity");
    }
    if (precision == Precision.HALF) {
      return half(name, tensor);
    }
    return precision.isInBytes(tensor) ? bytes(name, tensor, clip.applyAsDouble(tensor)) : tensor;
  }

  /// Returns a matrix rounded to bytes.
  ///
  /// @throws CheckpointException if a number is not finite
  public static Tensor round(Tensor matrix, double clip) {
    return round("matrix", matrix, Precision.INT8, _ -> clip);
  }

  private static Tensor half(String name, Tensor tensor) {
    float[] values = tensor.toArray();
    for (int i = 0; i < values.length; i++) {
      if (Math.abs(values[i]) > MOST_HALF) {
        throw new CheckpointException(name, "numbers within the range of float16", values[i]);
      }
      values[i] = Float.float16ToFloat(Float.floatToFloat16(values[i]));
    }
    return Tensor.owning(tensor.shape(), values);
  }

  private static Tensor bytes(String name, Tensor matrix, double clip) {
    if (!(clip > 0 && clip <= 1)) {
      throw new IllegalArgumentException("clip must be in (0, 1], was " + clip);
    }
    float[] values = matrix.toArray();
    int width = width(matrix);
    for (int from = 0; from < values.length; from += width) {
      float scale = scale(clip * largest(values, from, width));
      if (!isScale(scale)) {
        throw new CheckpointException(name, "numbers whose multiples float32 holds", scale);
      }
      for (int i = from; i < from + width; i++) {
        double multiple = scale == 0 ? 0 : Math.rint((double) values[i] / scale);
        values[i] = scale * (int) Math.clamp(multiple, -LEVELS, LEVELS);
      }
    }
    return Tensor.owning(matrix.shape(), values);
  }

  /// Returns the length of a row.
  static int width(Tensor matrix) {
    return matrix.size() == 0 ? 1 : matrix.size() / matrix.shape().getFirst();
  }

  static float largest(float[] values, int from, int count) {
    float largest = 0;
    for (int i = from; i < from + count; i++) {
      largest = Math.max(largest, Math.abs(values[i]));
    }
    return largest;
  }

  /// Returns the smallest scale with few enough digits that covers `range`, or 0 where that would
  /// be subnormal, and so negligible.
  private static float scale(double range) {
    float scale = (float) (range / LEVELS);
    if (scale < range / LEVELS) {
      scale = Math.nextUp(scale);
    }
    if (scale < Float.MIN_NORMAL) {
      return 0;
    }
    return Float.intBitsToFloat((Float.floatToIntBits(scale) + SPARE_DIGITS) & ~SPARE_DIGITS);
  }

  /// Returns whether every multiple of `scale` is exact in float32, as for the scales made here.
  static boolean isScale(float scale) {
    return scale == 0
        || (scale >= Float.MIN_NORMAL
            && scale <= Float.MAX_VALUE / LEVELS
            && (Float.floatToIntBits(scale) & SPARE_DIGITS) == 0);
  }
}
