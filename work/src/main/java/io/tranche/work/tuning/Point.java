package io.tranche.work.tuning;

/// The metric of a trial after some iterations.
public record Point(int iteration, double value) {}
