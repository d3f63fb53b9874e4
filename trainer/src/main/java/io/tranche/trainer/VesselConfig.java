package io.tranche.trainer;

import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;

/// The amount of experience per iteration, and how an algorithm learns from it.
///
/// @param bufferSize maximum number of steps kept, over all environments; without Qlib's quirks an
///   on-policy algorithm learns from all steps of an iteration, however many
/// @param update Qlib: `update_kwargs`
public record VesselConfig(int bufferSize, int episodesPerIteration, UpdateSettings update) {

  /// Qlib's default.
  public static final int BUFFER_SIZE = 20_000;

  /// For small problems: 64 episodes, and four passes over them in minibatches of 256 steps.
  public static final VesselConfig DEFAULT =
      new VesselConfig(BUFFER_SIZE, 64, new UpdateSettings(256, 4, Batching.EPISODES));

  public VesselConfig {
    if (bufferSize < 1 || episodesPerIteration < 1) {
      throw new IllegalArgumentException(
          "bufferSize and episodesPerIteration must be positive, was %d and %d"
              .formatted(bufferSize, episodesPerIteration));
    }
  }

  public VesselConfig withBufferSize(int steps) {
    return new VesselConfig(steps, episodesPerIteration, update);
  }

  public VesselConfig withEpisodes(int perIteration) {
    return new VesselConfig(bufferSize, perIteration, update);
  }

  public VesselConfig withUpdate(UpdateSettings other) {
    return new VesselConfig(bufferSize, episodesPerIteration, other);
  }
}
