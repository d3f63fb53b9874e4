package io.tranche.tensor.kernels;

/// Functions without a CPU instruction of their own (exp, sigmoid, tanh), for single values, and
/// the constants that [VectorCurves] shares.
///
/// Each is a fixed chain of correctly rounded operations, so that the vector version gives the same
/// bits.
final class Curves {

  static final float LOG2_E = 1.442695f;
  // -ln 2 in two parts: n * LN2_HIGH is exact for every exponent n.
  static final float LN2_HIGH = -0.6933594f;
  static final float LN2_LOW = 0.00021219444f;

  /// 1.5 * 2^23: adding it rounds to an integer, which ends up in the low bits.
  static final float ROUNDER = 12582912f;

  // Beyond these the result would not be a normal float.
  static final float EXP_MIN = -87.3f;
  static final float EXP_MAX = 88.3f;

  // exp(r) = 1 + r + r^2 (E2 + E3 r + ...) on [-ln2/2, ln2/2] (Cephes expf).
  static final float E7 = 0.00019875691f;
  static final float E6 = 0.0013981999f;
  static final float E5 = 0.008333452f;
  static final float E4 = 0.041665796f;
  static final float E3 = 0.16666666f;
  static final float E2 = 0.5f;

  /// Where the ratio below reaches 1.
  static final float TANH_MAX = 7.9988117f;

  // tanh(x) = x P(x^2) / Q(x^2), the ratio that Eigen uses.
  static final float P0 = 0.0048935246f;
  static final float P1 = 0.00063726195f;
  static final float P2 = 1.48572235e-5f;
  static final float P3 = 5.1222973e-8f;
  static final float P4 = -8.604672e-11f;
  static final float P5 = 2.000188e-13f;
  static final float P6 = -2.7607684e-16f;
  static final float Q0 = 0.004893525f;
  static final float Q1 = 0.0022684347f;
  static final float Q2 = 0.00011853471f;
  static final float Q3 = 1.1982584e-6f;

  private Curves() {}

  static float exp(float argument) {
    float x = clamp(argument, EXP_MIN, EXP_MAX);
    float rounded = Math.fma(x, LOG2_E, ROUNDER);
    float n = rounded - ROUNDER;
    float r = Math.fma(n, LN2_LOW, Math.fma(n, LN2_HIGH, x));
    float p = Math.fma(E7, r, E6);
    p = Math.fma(p, r, E5);
    p = Math.fma(p, r, E4);
    p = Math.fma(p, r, E3);
    p = Math.fma(p, r, E2);
    p = Math.fma(p, r * r, r + 1);
    // A product, not a sum of exponents, because it preserves NaN.
    return p * Float.intBitsToFloat((Float.floatToRawIntBits(rounded) + 127) << 23);
  }

  static float sigmoid(float x) {
    return 1 / (1 + exp(-x));
  }

  static float tanh(float argument) {
    float x = clamp(argument, -TANH_MAX, TANH_MAX);
    float square = x * x;
    float p = Math.fma(P6, square, P5);
    p = Math.fma(p, square, P4);
    p = Math.fma(p, square, P3);
    p = Math.fma(p, square, P2);
    p = Math.fma(p, square, P1);
    p = Math.fma(p, square, P0);
    float q = Math.fma(Q3, square, Q2);
    q = Math.fma(q, square, Q1);
    q = Math.fma(q, square, Q0);
    return x * p / q;
  }

  /// Preserves NaN and needs fewer instructions than min and max, which also distinguish 0 from -0.
  private static float clamp(float x, float min, float max) {
    float atLeast = x < min ? min : x;
    return atLeast > max ? max : atLeast;
  }
}
