package io.tranche.work.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.Verdict.Kind;
import io.tranche.config.ConfigFiles;
import io.tranche.env.ParallelFor;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.TickSource;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.market.BarSource;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.Summary;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.stress.ChangedBars.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StressRunTest {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 3, days: 60}}
      costs: cn_stocks
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 1, episodes_per_iteration: 40, repeat: 1}
      validation: {every: 1, judge: false}
      """;

  @TempDir private Path folder;

  @Test
  void judgesUnderAHundredConditionsAndCertifiesThem() throws IOException {
    try (TrainingRun<?> training =
        TrainingRun.open(
            ExecutionRun.read(ConfigFiles.parse("small.yml", CONFIG), _ -> {}),
            TrainingOptions.in(folder),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.fixed(Instant.EPOCH))) {
      training.train(null);
      Path weights = RunCheckpoints.chosen(new RunFolder(folder), "last").file();
      TrainedRun<?> run = TrainedRun.of(training, TrainedRun.Input.OWN);
      run.load(weights);
      var played = new ArrayList<String>();

      var itself = new Chosen(weights, "test", null);
      List<Condition> conditions = run.stress(Map.of("trained as itself", itself), played::add);

      assertThat(conditions).hasSizeGreaterThanOrEqualTo(100);
      assertThat(played)
          .contains("as in the run", "costs x 0", "costs x 2", "impact x 0", "impact x 0.5")
          .contains("impact x 1", "bars 1 late", "bars 2 late", "half spread + 2 bps")
          .contains("volatility x 2", "volume x 0.1", "trend +200 bps a day", "halts")
          .contains("20 % of bars missing", "another market of the same law", "validation days");
      var names = new HashSet<String>();
      assertThat(conditions).allMatch(each -> names.add(each.frictions() + each.regime()));
      assertThat(conditions)
          .extracting(Condition::regime)
          .contains("all orders", "calm", "volatile", "thin", "busy", "falling", "rising", "buys");
      Condition own = conditions.getFirst();
      assertThat(own.gain().mean())
          .isEqualTo(run.judgement().assessment().overTwap().together().meanBps());
      assertThat(conditions)
          .filteredOn(each -> each.frictions().equals("as in the run"))
          .filteredOn(
              each -> List.of("calm", "usual volatility", "volatile").contains(each.regime()))
          .extracting(each -> each.gain().orders())
          .satisfies(
              counts ->
                  assertThat(counts.stream().mapToInt(Integer::intValue).sum())
                      .isEqualTo(own.gain().orders()));

      assertThat(conditions)
          .filteredOn(each -> each.frictions().equals("trained as itself"))
          .hasSize(3)
          .first()
          .satisfies(each -> assertThat(each.gain()).isEqualTo(own.gain()));
      assertThat(conditions)
          .filteredOn(each -> each.frictions().equals("volatility x 2"))
          .first()
          .satisfies(each -> assertThat(each.gain().mean()).isNotEqualTo(own.gain().mean()));
      assertThat(run.sensitivity())
          .extracting(Condition::frictions)
          .containsExactly(
              "costs x 0", "costs x 2", "impact x 0.5", "impact x 1", "bars 1 late", "bars 2 late");

      // TWAP against TWAP is equal wherever there is enough to tell.
      run.load(new Chosen(weights, "test", new DeviationGuard(0, "test")));
      assertThat(run.stress(Map.of(), _ -> {}))
          .allMatch(each -> each.outcome() != Kind.BETTER && each.outcome() != Kind.WORSE);

      new Certificate("test", conditions).write(folder.resolve("stress"));
      assertThat(Files.readAllLines(folder.resolve("stress/certificate.md")))
          .hasSizeGreaterThan(conditions.size())
          .anyMatch(line -> line.startsWith("| bars 2 late | volatile | "));
      assertThat(
              ConfigFiles.load(folder.resolve("stress/certificate.yml"))
                  .required("conditions")
                  .asList())
          .hasSameSizeAs(conditions);
    }
  }

  @Test
  void outcomesNeedACorrectedPValueBesideTheVerdict() {
    assertThat(outcome(Kind.BETTER, 0.049)).isEqualTo(Kind.BETTER);
    assertThat(outcome(Kind.WORSE, 0.049)).isEqualTo(Kind.WORSE);
    assertThat(outcome(Kind.BETTER, 0.05)).isEqualTo(Kind.NO_DIFFERENCE);
    assertThat(outcome(Kind.WORSE, 0.05)).isEqualTo(Kind.NO_DIFFERENCE);
    assertThat(outcome(Kind.NO_DIFFERENCE, 0)).isEqualTo(Kind.NO_DIFFERENCE);
    assertThat(outcome(Kind.NOT_ENOUGH_DAYS, 1)).isEqualTo(Kind.NOT_ENOUGH_DAYS);
    assertThat(outcome(Kind.DOES_NOT_COMPLETE, 1)).isEqualTo(Kind.DOES_NOT_COMPLETE);
  }

  private static Kind outcome(Kind alone, double pValue) {
    var gain = new Summary.Builder();
    gain.add(LocalDate.of(2024, 1, 1), 5);
    return new Condition("costs x 2", "all orders", gain.build(), alone, 1, pValue).outcome();
  }

  /// In a market that falls, an agent that trades everything at once wins on sells and loses on
  /// buys. With more sells than buys that is a gain, but not skill.
  @Test
  void whatOneSideWinsByDriftIsNotCertified() {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(4, 30));
    Change falls =
        Objects.requireNonNull(ChangedBars.all(market.fields()).get("trend -200 bps a day"));
    var orders = new ArrayList<Order>();
    for (DayOrder each : OrderGenerator.DEFAULT.generate(market)) {
      for (Side side : Side.values()) {
        if (side == Side.SELL || each.instrument().compareTo(market.instruments().get(2)) < 0) {
          LocalDate date = each.date();
          orders.add(
              new Order(
                  each.instrument(),
                  side,
                  each.amount(),
                  date.atTime(9, 30),
                  date.atTime(15, 0),
                  date));
        }
      }
    }
    Candidate<DecisionView> atOnce = Candidate.rule("at once", DecisionView::remaining);

    List<Condition> conditions;
    try (var parallel = new ParallelFor(1)) {
      var falling = ticks(ChangedBars.of(market, LocalDate.MIN, falls));
      conditions =
          StressTest.run(
              SimpleSimulatorConfig.DEFAULT,
              ticks(market),
              atOnce,
              orders,
              List.of(new StressCase<>("falling", falling, atOnce, orders)).iterator(),
              parallel,
              _ -> {});
    }

    List<Condition> all =
        conditions.stream().filter(each -> each.frictions().equals("falling")).toList();
    assertThat(all).extracting(Condition::regime).containsExactly("all orders", "sells", "buys");
    assertThat(all.getFirst().gain().mean()).isGreaterThan(10);
    assertThat(all).allMatch(each -> each.adjustedPValue() < 0.05);
    assertThat(all)
        .extracting(Condition::outcome)
        .containsExactly(Kind.NO_DIFFERENCE, Kind.BETTER, Kind.WORSE);
  }

  private static TickSource ticks(BarSource bars) {
    return CachedTicks.of(bars, DealPrice.CLOSE, 1000);
  }
}
