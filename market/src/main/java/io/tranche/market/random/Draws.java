package io.tranche.market.random;

/// A stream of random numbers that belongs to a key, so that each value can be drawn alone, in any
/// order and on any thread, with the same result.
///
/// SplitMix64 started at the key, which is a hash of its path. It uses only [StrictMath] and
/// operations that IEEE 754 defines to the bit, so no number depends on the machine.
public final class Draws {

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  // AS 241: numerators and denominators around the median, in the tails, and far out.
  private static final double[] CENTRE_UPPER = {
    3.3871328727963665,
    133.14166789178438,
    1971.5909503065513,
    13731.69376550946,
    45921.95393154987,
    67265.7709270087,
    33430.57558358813,
    2509.0809287301227
  };
  private static final double[] CENTRE_LOWER = {
    1,
    42.31333070160091,
    687.1870074920579,
    5394.196021424751,
    21213.794301586597,
    39307.89580009271,
    28729.085735721943,
    5226.495278852854
  };
  private static final double[] TAIL_UPPER = {
    1.4234371107496835,
    4.630337846156546,
    5.769497221460691,
    3.6478483247632045,
    1.2704582524523684,
    0.2417807251774506,
    0.022723844989269184,
    0.0007745450142783414
  };
  private static final double[] TAIL_LOWER = {
    1,
    2.053191626637759,
    1.6763848301838038,
    0.6897673349851,
    0.14810397642748008,
    0.015198666563616457,
    0.0005475938084995345,
    1.0507500716444169e-09
  };
  private static final double[] FAR_UPPER = {
    6.657904643501103,
    5.463784911164114,
    1.7848265399172913,
    0.29656057182850487,
    0.026532189526576124,
    0.0012426609473880784,
    2.7115555687434876e-05,
    2.0103343992922881e-07
  };
  private static final double[] FAR_LOWER = {
    1,
    0.599832206555888,
    0.1369298809227358,
    0.014875361290850615,
    0.0007868691311456133,
    1.8463183175100548e-05,
    1.421511758316446e-07,
    2.0442631033899397e-15
  };

  private long state;

  public Draws(long key) {
    this.state = key;
  }

  public static long root(long seed) {
    return mix(seed + GOLDEN);
  }

  /// Returns the key of branch `index` of `key`.
  public static long child(long key, long index) {
    return mix(key ^ index);
  }

  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /// Returns a number in (0, 1), both ends excluded.
  public double uniform() {
    state += GOLDEN;
    return ((mix(state) >>> 12) + 0.5) * 0x1p-52;
  }

  public double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

  /// Returns a number from `low` to `high`, its logarithm uniform.
  public double logUniform(double low, double high) {
    return StrictMath.exp(uniform(StrictMath.log(low), StrictMath.log(high)));
  }

  public boolean chance(double probability) {
    return uniform() < probability;
  }

  public double normal() {
    return quantile(uniform());
  }

  /// Returns the normal quantile: Wichura's algorithm AS 241 (PPND16), exact to 1e-16. The inverse
  /// takes exactly one uniform number per normal number, so streams stay aligned.
  public static double quantile(double probability) {
    double q = probability - 0.5;
    if (Math.abs(q) <= 0.425) {
      double r = 0.180625 - q * q;
      return q * polynomial(CENTRE_UPPER, r) / polynomial(CENTRE_LOWER, r);
    }
    double r = Math.sqrt(-StrictMath.log(q < 0 ? probability : 1 - probability));
    double value =
        r <= 5
            ? polynomial(TAIL_UPPER, r - 1.6) / polynomial(TAIL_LOWER, r - 1.6)
            : polynomial(FAR_UPPER, r - 5) / polynomial(FAR_LOWER, r - 5);
    return q < 0 ? -value : value;
  }

  private static double polynomial(double[] coefficients, double at) {
    double sum = 0;
    for (int i = coefficients.length - 1; i >= 0; i--) {
      sum = sum * at + coefficients[i];
    }
    return sum;
  }
}
