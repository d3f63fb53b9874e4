package io.tranche.trainer.checkpoint;

import org.jspecify.annotations.Nullable;

/// How far a run is.
///
/// All random draws come from the keys (seed, purpose, iteration, episode), so no state of a
/// generator has to be kept.
///
/// @param iterations how many are complete
/// @param episodes how many were counted, in all stages under Qlib's names and in training
///   otherwise
/// @param stop why it stops, or null if it does not
/// @param statesTaken how many initial states training took: where in the data it is, and what the
///   number of the next episode is
/// @param failedEpisodes how many ended in an exception and were put aside
public record RunPosition(
    long seed,
    long iterations,
    long episodes,
    Stage stage,
    @Nullable Stop stop,
    long statesTaken,
    long failedEpisodes) {}
