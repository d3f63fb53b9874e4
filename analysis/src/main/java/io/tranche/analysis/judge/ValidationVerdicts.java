package io.tranche.analysis.judge;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Candidate;
import io.tranche.analysis.Evaluation;
import io.tranche.analysis.Yardsticks;
import io.tranche.env.Observation;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Says in a line how training goes: after each validation, with how far training is ahead of it
/// and whether the agent is better than TWAP and the best constant action; without validation,
/// after each iteration.
final class ValidationVerdicts<O extends Observation> implements Callback {

  /// What an agent is judged on.
  ///
  /// @param evaluation of the validation orders
  record Jury<O extends Observation>(
      Evaluation evaluation, Yardsticks yardsticks, Candidate<O> agent) {}

  private final String prefix;
  private final Supplier<@Nullable Jury<O>> summons;
  private @Nullable Jury<O> jury;

  /// @param prefix what verdicts begin with
  /// @param summons makes the jury when there is first something to judge; gives null for none
  ValidationVerdicts(String prefix, Supplier<@Nullable Jury<O>> summons) {
    this.prefix = prefix;
    this.summons = summons;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    switch (hook) {
      case VALIDATE_END -> judge(trainer);
      case ITERATION_END -> {
        if (trainer.config().validateEvery() == null || isValidated(trainer)) {
          trainer.progress().message(line(trainer));
        }
      }
      default -> {}
    }
  }

  private static boolean isValidated(Trainer trainer) {
    return trainer.iterations() % Objects.requireNonNull(trainer.config().validateEvery()) == 0
        || trainer.isStopping();
  }

  private void judge(Trainer trainer) {
    if (jury == null) {
      jury = summons.get();
    }
    if (jury != null) {
      Assessment standing = Assessment.of(jury.evaluation.run(jury.agent), jury.yardsticks);
      trainer.progress().message(prefix + standing.verdict().sentence());
    }
  }

  private static String line(Trainer trainer) {
    Map<String, Double> metrics = trainer.metrics();
    var line = new StringJoiner(", ");
    add(line, "reward %.4f", metrics.get("reward"));
    add(line, "advantage %.2f bps", metrics.get("pa"));
    add(line, "filled %.4f", metrics.get("ffr"));
    add(line, "validation advantage %.2f bps", metrics.get("val/pa"));
    Double training = metrics.get("pa");
    Double validation = metrics.get("val/pa");
    if (training != null && validation != null) {
      // Small data are memorised, and this is where it shows.
      add(line, "gap to training %.2f bps", training - validation);
    }
    Integer all = trainer.config().maxIterations();
    return "iteration %d%s: %s".formatted(trainer.iterations(), all == null ? "" : "/" + all, line);
  }

  private static void add(StringJoiner line, String format, @Nullable Double value) {
    if (value != null) {
      line.add(String.format(Locale.ROOT, format, value));
    }
  }
}
