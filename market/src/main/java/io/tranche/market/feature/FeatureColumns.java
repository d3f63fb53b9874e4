package io.tranche.market.feature;

import java.util.List;

/// The columns that make up today's and yesterday's matrix, in order.
public record FeatureColumns(List<String> today, List<String> yesterday) {

  /// No columns: only the times of the bars are wanted.
  public static final FeatureColumns NONE = new FeatureColumns(List.of(), List.of());

  public FeatureColumns {
    today = List.copyOf(today);
    yesterday = List.copyOf(yesterday);
  }
}
