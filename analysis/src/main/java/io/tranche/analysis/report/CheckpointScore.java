package io.tranche.analysis.report;

import io.tranche.analysis.Difference;

/// What one checkpoint makes of the orders that the report is about.
///
/// @param name such as `012.ckpt`
/// @param overTwap how much better than TWAP it is
public record CheckpointScore(String name, Difference overTwap) {}
