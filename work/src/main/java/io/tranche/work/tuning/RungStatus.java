package io.tranche.work.tuning;

/// The status of a rung.
///
/// @param iterations how many a trial has had at this rung
/// @param running how many trials are on their way to it
/// @param reached how many have reached it, or were stopped on the way
/// @param promoted how many were promoted from it
/// @param best the best trial here; its value is NaN if there is none yet
public record RungStatus(
    int iterations, int running, int reached, int promoted, int best, double value) {}
