package io.tranche.execution;

import io.tranche.backtest.FillRule;

/// The differences between Qlib's simulator and the native one, switch by switch.
///
/// @param dropsUnfilledMetrics whether an order that is not completely filled has no metrics and
///   logs nothing (quirk Q1)
/// @param pricesNothingAtZero whether the advantage of a period without fills is computed from a
///   price of 0, which gives 10,000 basis points (quirk Q2)
/// @param excess what happens to a volume larger than what remains (quirk Q4)
/// @param addsSingles whether float32 market columns are added as float32 and not logged as numbers
///   (section 3.11 of the reference)
/// @param fillRule how orders fill
/// @param remainder below which an order counts as filled
public record Dialect(
    boolean dropsUnfilledMetrics,
    boolean pricesNothingAtZero,
    Excess excess,
    boolean addsSingles,
    FillRule fillRule,
    Remainder remainder) {

  /// What happens to a volume that is negative or beyond what remains.
  public enum Excess {
    /// It is traded, and refused if more than what remains was filled.
    REFUSE_WHEN_FILLED,
    /// It is cut to what remains.
    CLIP,
    /// It is refused before anything trades.
    REFUSE
  }

  /// The remainder that is too small to count.
  ///
  /// @param absolute in shares
  /// @param relative as a fraction of the order
  public record Remainder(double absolute, double relative) {

    /// Returns the remainder that is too small to count for an order of `amount`.
    public double of(double amount) {
      return Math.max(absolute, relative * amount);
    }
  }

  /// Qlib's behaviour, to the last bit.
  public static final Dialect QLIB =
      new Dialect(
          true,
          true,
          Excess.REFUSE_WHEN_FILLED,
          true,
          FillRule.QLIB_SIMPLE,
          new Remainder(1e-6, 0));

  /// The native behaviour.
  public static final Dialect NATIVE =
      new Dialect(false, false, Excess.CLIP, false, FillRule.NATIVE, new Remainder(0, 1e-9));

  public Dialect withExcess(Excess rule) {
    return new Dialect(
        dropsUnfilledMetrics, pricesNothingAtZero, rule, addsSingles, fillRule, remainder);
  }

  /// Whether NaN prices and volumes are traded and averaged like numbers.
  boolean trustsData() {
    return fillRule == FillRule.QLIB_SIMPLE;
  }
}
