package io.tranche.analysis.report;

/// One part of the cost of trading.
///
/// @param name such as `commission` or `market impact`
/// @param bps of the value traded; positive is a cost
public record CostItem(String name, double bps) {

  public CostItem {
    Known.require("bps", bps);
  }
}
