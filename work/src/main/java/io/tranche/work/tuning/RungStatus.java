package io.tranche.work.tuning;

/// How a rung stands.
///
/// @param iterations how many trials have behind them here
/// @param running how many are on their way to it
/// @param reached how many have come to it, or were stopped on the way
/// @param promoted how many have gone on from it
/// @param best which trial is the best here; its value is NaN if there is none yet
public record RungStatus(
    int iterations, int running, int reached, int promoted, int best, double value) {}
