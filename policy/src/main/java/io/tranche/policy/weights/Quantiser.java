package io.tranche.policy.weights;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Rounds weights to numbers that a [Precision] holds.
///
/// With bytes, each row of a matrix, which is one output channel, consists of multiples of a scale,
/// from -127 to 127 times it. The scale keeps 17 of float32's 24 digits, so that every multiple of
/// it is a float32: what was rounded once is stored and read back without rounding.
public final class Quantiser {

  /// The clips that are worth trying for a matrix, no clipping first.
  public static final List<Double> CLIPS = List.of(1.0, 0.95, 0.9, 0.8, 0.7);

  /// How many multiples lie on each side of zero.
  static final int LEVELS = 127;

  /// Seven binary digits, as many as [#LEVELS] has.
  private static final int SPARE_DIGITS = 0x7f;

  private static final float MOST_HALF = 65_504;

  private Quantiser() {}

  /// Returns `weights` rounded; names that shared a tensor share one again.
  ///
  /// @param clip what part of the largest number of each row of a matrix its range reaches to, in
  ///   (0, 1]; numbers beyond become the largest in the range
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
      throw new CheckpointException(name, "finite numbers", "others");
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

  /// Returns how many numbers a row has.
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

  /// Returns the smallest scale of few enough digits that reaches to `range`; 0 where that would be
  /// less than a normal number, and so as good as zero.
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

  /// Returns whether every multiple of a scale is a float32, as it is with those made here.
  static boolean isScale(float scale) {
    return scale == 0
        || (scale >= Float.MIN_NORMAL
            && scale <= Float.MAX_VALUE / LEVELS
            && (Float.floatToIntBits(scale) & SPARE_DIGITS) == 0);
  }
}
