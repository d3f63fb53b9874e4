package io.tranche.trainer;

import io.tranche.env.vector.OnFailure;
import org.jspecify.annotations.Nullable;

/// Settings of a [Trainer].
///
/// @param seed of all random draws
/// @param maxIterations after which the run ends; null for no limit
/// @param validateEvery validates after every so many iterations; null for never
/// @param concurrency how many environments there are; another number gives other results
/// @param threads how many threads step them, the trainer's included; changes no result
/// @param fastDevRun to try out a run: reduces each stage to so many random initial states, and an
///   iteration to so many episodes; null for all
/// @param onFailure what happens when an episode ends in an exception
/// @param resolvedConfig the configuration of the run as text, for checkpoints; may be empty
public record TrainerConfig(
    long seed,
    @Nullable Integer maxIterations,
    @Nullable Integer validateEvery,
    int concurrency,
    int threads,
    @Nullable Integer fastDevRun,
    OnFailure onFailure,
    QlibQuirks quirks,
    String resolvedConfig) {

  public TrainerConfig {
    requirePositive("maxIterations", maxIterations);
    requirePositive("validateEvery", validateEvery);
    requirePositive("concurrency", concurrency);
    requirePositive("threads", threads);
    requirePositive("fastDevRun", fastDevRun);
  }

  /// Returns a configuration for one thread, without a limit, validation or quirks of Qlib.
  public static TrainerConfig of(long seed, int concurrency) {
    return new TrainerConfig(
        seed, null, null, concurrency, 1, null, OnFailure.QUARANTINE, QlibQuirks.NONE, "");
  }

  public TrainerConfig withMaxIterations(@Nullable Integer count) {
    return with(count, validateEvery, threads, onFailure, quirks);
  }

  public TrainerConfig withValidateEvery(@Nullable Integer iterations) {
    return with(maxIterations, iterations, threads, onFailure, quirks);
  }

  public TrainerConfig withThreads(int count) {
    return with(maxIterations, validateEvery, count, onFailure, quirks);
  }

  public TrainerConfig with(OnFailure reaction) {
    return with(maxIterations, validateEvery, threads, reaction, quirks);
  }

  public TrainerConfig with(QlibQuirks other) {
    return with(maxIterations, validateEvery, threads, onFailure, other);
  }

  private TrainerConfig with(
      @Nullable Integer max, @Nullable Integer every, int count, OnFailure on, QlibQuirks other) {
    return new TrainerConfig(
        seed, max, every, concurrency, count, fastDevRun, on, other, resolvedConfig);
  }

  private static void requirePositive(String name, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new IllegalArgumentException("%s must be at least 1, was %d".formatted(name, value));
    }
  }
}
