package io.tranche.trainer.checkpoint;

import org.jspecify.annotations.Nullable;

/// The position of a run.
///
/// All random draws come from the keys (seed, purpose, iteration, episode), so no generator state
/// needs to be kept.
///
/// @param iterations number of completed iterations
/// @param episodes number of episodes counted: with Qlib's quirks those of all stages, otherwise
///   those of training
/// @param stop why the run stops, or null if it does not
/// @param statesTaken number of initial states taken by training: its position in the data, and the
///   number of the next episode
/// @param failedEpisodes number of episodes that ended in an exception and were set aside
public record RunPosition(
    long seed,
    long iterations,
    long episodes,
    Stage stage,
    @Nullable Stop stop,
    long statesTaken,
    long failedEpisodes) {}
