package io.tranche.work.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.record.OrderRecordWriter;
import io.tranche.analysis.record.RecordHeader.ScoreKind;
import io.tranche.analysis.record.RecordedOrder;
import io.tranche.analysis.record.RecordedOrder.Step;
import io.tranche.analysis.record.RecordedOrders;
import io.tranche.config.ConfigFiles;
import io.tranche.run.ExecutionRun;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.OrderResult;
import io.tranche.trainer.TrainingProgress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the explorer of orders reads is what the judge found.
class RecordedJudgementTest {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 3, days: 60}}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 1, episodes_per_iteration: 40, repeat: 1}
      validation: {every: 1, judge: false}
      """;

  @TempDir Path folder;

  @Test
  void theRecordHasTheJudgementsNumbers() {
    Path file = folder.resolve(OrderRecordWriter.FILE);
    try (TrainingRun<?> training =
        TrainingRun.open(
            ExecutionRun.read(ConfigFiles.parse("small.yml", CONFIG), _ -> {}),
            TrainingOptions.in(folder),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.fixed(Instant.EPOCH))) {
      training.train(null);
      TrainedRun<?> run = TrainedRun.of(training, TrainedRun.Input.OWN);
      Judgement judgement = run.judgement();

      run.record(file, judgement, 7);

      List<OrderResult> results = judgement.assessment().agent().orders();
      try (var orders = RecordedOrders.open(file)) {
        assertThat(orders.header().orders()).isEqualTo(results.size());
        assertThat(orders.header().recorded()).isEqualTo(7);
        assertThat(orders.header().scores()).isEqualTo(ScoreKind.PROBABILITIES);
        double[] net = orders.numbers("net");
        int best = 0;
        for (int i = 0; i < results.size(); i++) {
          assertThat(orders.order(i)).isEqualTo(results.get(i).order());
          assertThat(net[i]).isEqualTo(results.get(i).netAdvantageBps());
          best = net[i] > net[best] ? i : best;
          if (orders.isRecorded(i)) {
            check(Objects.requireNonNull(orders.steps(i)), results.get(i), orders);
          }
        }
        assertThat(net[best]).isEqualTo(bestRecorded(orders, net));
      }
    }
  }

  /// The sample reaches from the worst order to the best.
  private static double bestRecorded(RecordedOrders orders, double[] net) {
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < net.length; i++) {
      best = orders.isRecorded(i) ? Math.max(best, net[i]) : best;
    }
    return best;
  }

  private static void check(RecordedOrder order, OrderResult result, RecordedOrders orders) {
    assertThat(order.fills()).extracting(RecordedOrder.Fills::policy).startsWith("the agent", "TWAP");
    for (RecordedOrder.Fills fills : order.fills()) {
      double filled = fills.amounts().stream().mapToDouble(Double::doubleValue).sum();
      assertThat(filled).isEqualTo(result.order().amount(), within(1e-6 * result.order().amount()));
    }
    double left = result.order().amount();
    for (Step step : order.steps()) {
      assertThat(step.remaining()).isEqualTo(left, within(1e-6 * result.order().amount()));
      left -= step.filled();
      assertThat(step.scores().stream().mapToDouble(Float::doubleValue).sum())
          .isEqualTo(1, within(1e-5));
      double highest = step.scores().stream().mapToDouble(Float::doubleValue).max().orElseThrow();
      assertThat((double) step.scores().get((int) step.action())).isEqualTo(highest);
      assertThat(step.features()).hasSize(orders.header().features().size());
      assertThat(step.effects()).hasSize(orders.header().features().size());
    }
  }
}
