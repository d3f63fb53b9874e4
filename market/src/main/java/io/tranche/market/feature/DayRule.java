package io.tranche.market.feature;

/// How features take the days before theirs.
///
/// @param ticks to which a shorter day is filled up with missing bars, so that the same tick of
///   each day is as many bars away; 0 to leave days as they are
/// @param onlyTraded whether days without a bar are left out
/// @param isAdjusted whether prices and volumes are adjusted by the bars' factor
/// @param isNeutral whether prices are divided by the market's index ([MarketIndex])
public record DayRule(int ticks, boolean onlyTraded, boolean isAdjusted, boolean isNeutral) {

  /// Days as they are, as in Qlib.
  public static final DayRule PLAIN = new DayRule(0, false, false, false);
}
