package io.tranche.trainer;

import io.tranche.env.vector.OnFailure;
import org.jspecify.annotations.Nullable;

/// Settings of a [Trainer].
///
/// @param seed the seed of all random draws
/// @param maxIterations number of iterations after which the run ends; null for no limit
/// @param validateEvery number of iterations between validations; null for no validation
/// @param concurrency number of environments; changes the results
/// @param threads number of threads that step them, including the trainer's; changes no result
/// @param fastDevRun for trying out a run: limits each stage to this many random initial states,
///   and an iteration to this many episodes; null for no limit
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

  /// Returns a configuration for one thread, without a limit, validation or Qlib's quirks.
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
