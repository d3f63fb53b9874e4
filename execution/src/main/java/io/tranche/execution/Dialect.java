package io.tranche.execution;

/// Where Qlib's simulator and a sound one differ, switch by switch.
///
/// @param dropsUnfilledMetrics whether an order that ends with a remainder has no metrics and logs
///   nothing (quirk Q1)
/// @param pricesNothingAtZero whether a period without executions has its advantage computed from a
///   price of 0, which gives 10,000 basis points (quirk Q2)
/// @param excess what happens to a volume beyond what remains (quirk Q4)
/// @param addsSingles whether market columns of float32 are added as float32 and logged as no
///   number (section 3.11 of the reference)
/// @param trustsData whether NaN prices and volumes are traded and averaged like numbers
/// @param remainder below what remainder an order counts as filled
public record Dialect(
    boolean dropsUnfilledMetrics,
    boolean pricesNothingAtZero,
    Excess excess,
    boolean addsSingles,
    boolean trustsData,
    Remainder remainder) {

  /// What happens to a volume that is negative or beyond what remains.
  public enum Excess {
    /// It is traded, and refused once it turns out that too much was executed.
    REFUSE_WHEN_FILLED,
    /// It is cut to what remains.
    CLIP,
    /// It is refused before anything trades.
    REFUSE
  }

  /// What is too little to count.
  ///
  /// @param absolute in shares
  /// @param relative as a fraction of the order
  public record Remainder(double absolute, double relative) {

    /// Returns what is too little to count for an order of `amount`.
    public double of(double amount) {
      return Math.max(absolute, relative * amount);
    }
  }

  /// As Qlib does it, to the last bit.
  public static final Dialect QLIB =
      new Dialect(true, true, Excess.REFUSE_WHEN_FILLED, true, true, new Remainder(1e-6, 0));

  /// Sound.
  public static final Dialect NATIVE =
      new Dialect(false, false, Excess.CLIP, false, false, new Remainder(0, 1e-9));

  public Dialect withExcess(Excess rule) {
    return new Dialect(
        dropsUnfilledMetrics, pricesNothingAtZero, rule, addsSingles, trustsData, remainder);
  }
}
