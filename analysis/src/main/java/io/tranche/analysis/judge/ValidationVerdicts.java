package io.tranche.analysis.judge;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Yardsticks;
import io.tranche.env.Observation;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.LowerBound;
import io.tranche.run.play.OrderPlayer;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Reports the progress of training in one line per validation, or per iteration if there is no
/// validation: the metrics, the gap between training and validation, and whether the agent is
/// better than TWAP and the best constant action.
public final class ValidationVerdicts<O extends Observation> implements Callback {

  private final TrainingRun<O> run;
  private final Judge<O> judge;
  private final String prefix;
  private @Nullable OrderPlayer player;
  private @Nullable Yardsticks yardsticks;

  public ValidationVerdicts(TrainingRun<O> run) {
    this.run = run;
    this.judge = Judge.of(run);
    this.prefix =
        run.run().problem().hindsight()
            ? "validation of a teacher, which sees the future: "
            : "validation: ";
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
    if (!run.run().validation().judges() || run.fastDevRun() != null) {
      return;
    }
    if (player == null || yardsticks == null) {
      player = judge.player(Tag.VALID);
      yardsticks = Yardsticks.of(player, run.parts().problem().actionInterpreter());
    }
    var assessment = Assessment.of(player.run(judge.candidate()), yardsticks);
    trainer.progress().message(prefix + assessment.verdict().sentence());
  }

  private static String line(Trainer trainer) {
    Map<String, Double> metrics = trainer.metrics();
    var line = new StringJoiner(", ");
    add(line, "reward %.4f", metrics.get("reward"));
    add(line, "advantage %.2f bps", metrics.get("pa"));
    add(line, "filled %.4f", metrics.get("ffr"));
    add(line, "validation advantage %.2f bps", metrics.get("val/pa"));
    add(line, "after fees %.2f bps", metrics.get("val/net_pa"));
    add(line, "over TWAP at least %.2f bps", metrics.get(LowerBound.METRIC));
    add(line, "validation filled %.4f", metrics.get("val/ffr"));
    Double training = metrics.get("pa");
    Double validation = metrics.get("val/pa");
    if (training != null && validation != null) {
      // Small data sets are memorised; the gap shows it.
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
