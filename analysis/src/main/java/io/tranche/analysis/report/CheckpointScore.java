package io.tranche.analysis.report;

import io.tranche.analysis.Difference;

/// The result of one checkpoint on the orders of the report.
///
/// @param name such as `012.ckpt`
/// @param overTwap how much better than TWAP it is
public record CheckpointScore(String name, Difference overTwap) {}
