package io.tranche.trainer;

import io.tranche.env.vector.OnFailure;
import java.util.function.Consumer;
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

  public TrainerConfig withSeed(long other) {
    return with(draft -> draft.seed = other);
  }

  /// @param count null for no limit
  public TrainerConfig withMaxIterations(@Nullable Integer count) {
    return with(draft -> draft.maxIterations = count);
  }

  /// @param iterations null for no validation
  public TrainerConfig withValidateEvery(@Nullable Integer iterations) {
    return with(draft -> draft.validateEvery = iterations);
  }

  public TrainerConfig withConcurrency(int count) {
    return with(draft -> draft.concurrency = count);
  }

  public TrainerConfig withThreads(int count) {
    return with(draft -> draft.threads = count);
  }

  /// @param states null for no limit
  public TrainerConfig withFastDevRun(@Nullable Integer states) {
    return with(draft -> draft.fastDevRun = states);
  }

  public TrainerConfig with(OnFailure reaction) {
    return with(draft -> draft.onFailure = reaction);
  }

  public TrainerConfig with(QlibQuirks other) {
    return with(draft -> draft.quirks = other);
  }

  public TrainerConfig withResolvedConfig(String text) {
    return with(draft -> draft.resolvedConfig = text);
  }

  private TrainerConfig with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toConfig();
  }

  /// A copy under change.
  private final class Draft {
    long seed = TrainerConfig.this.seed;
    @Nullable Integer maxIterations = TrainerConfig.this.maxIterations;
    @Nullable Integer validateEvery = TrainerConfig.this.validateEvery;
    int concurrency = TrainerConfig.this.concurrency;
    int threads = TrainerConfig.this.threads;
    @Nullable Integer fastDevRun = TrainerConfig.this.fastDevRun;
    OnFailure onFailure = TrainerConfig.this.onFailure;
    QlibQuirks quirks = TrainerConfig.this.quirks;
    String resolvedConfig = TrainerConfig.this.resolvedConfig;

    TrainerConfig toConfig() {
      return new TrainerConfig(
          seed,
          maxIterations,
          validateEvery,
          concurrency,
          threads,
          fastDevRun,
          onFailure,
          quirks,
          resolvedConfig);
    }
  }

  private static void requirePositive(String name, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new IllegalArgumentException("%s must be at least 1, was %d".formatted(name, value));
    }
  }
}
