package io.tranche.market.feature.pipeline;

import io.tranche.market.feature.FeatureProgress;

/// Counts the steps of one stage and reports them one call at a time, in order.
final class ProgressCounter {

  private final FeatureProgress progress;
  private final String stage;
  private final int total;
  private int done;

  ProgressCounter(FeatureProgress progress, String stage, int total) {
    this.progress = progress;
    this.stage = stage;
    this.total = total;
  }

  synchronized void step() {
    progress.at(stage, ++done, total);
  }
}
