package io.tranche.work.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentTest {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 3, days: 60}}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 2, episodes_per_iteration: 40, repeat: 1}
      validation: {every: 1, judge: false, guard: true}
      """;

  @TempDir private Path folder;

  private TrainingRun<?> open(String config) {
    return TrainingRun.open(
        ExecutionRun.read(ConfigFiles.parse("small.yml", config), _ -> {}),
        TrainingOptions.in(folder),
        (_, _, _) -> {},
        TrainingProgress.NONE,
        InstantSource.fixed(Instant.EPOCH));
  }

  @Test
  void trainingValidationSelectionAndTestAreFourSpans() {
    try (TrainingRun<?> training = open(CONFIG)) {
      var data = training.parts().data();
      List<NavigableSet<LocalDate>> spans =
          List.of(
              days(load(data.orders(Tag.TRAIN))),
              days(load(data.orders(Tag.VALID))),
              days(data.selectionOrders()),
              days(load(data.orders(Tag.TEST))));

      assertThat(spans).extracting(NavigableSet::size).containsExactly(36, 6, 6, 12);
      for (int i = 1; i < spans.size(); i++) {
        assertThat(spans.get(i).first()).isAfter(spans.get(i - 1).last());
      }
      assertThat(days(data.placedOrders(Tag.VALID).orders().stream().map(o -> o.order()).toList()))
          .isEqualTo(spans.get(1));
    }
  }

  private static List<Order> load(io.tranche.trainer.InitialStates<Order> states) {
    return IntStream.range(0, states.size()).mapToObj(states.load()).toList();
  }

  private static NavigableSet<LocalDate> days(List<Order> orders) {
    return orders.stream().map(Order::date).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void anAgentWithoutARecordIsTwapInEveryPlace() {
    var run = new RunFolder(folder);
    try (TrainingRun<?> training = open(CONFIG)) {
      training.train(null);
      Chosen chosen = Objects.requireNonNull(Deployment.choose(training, run));

      assertThat(Objects.requireNonNull(chosen.guard()).reason())
          .isEqualTo("not enough validation days: 6 of at least 10");
      assertThat(RunCheckpoints.chosen(run, null).guard()).isEqualTo(chosen.guard());
      assertThat(RunCheckpoints.chosen(run, "best").guard()).isNull();
      TrainedRun<?> trained = TrainedRun.of(training, TrainedRun.Input.OWN);
      trained.load(chosen);

      PolicyResults agent = trained.play("the agent", null);

      assertThat(agent.orders()).isEqualTo(trained.twap().orders());
      assertThat(trained.judgement().assessment().overTwap().scatterBps()).isZero();
    }
    try (TrainingRun<?> training = open(CONFIG)) {
      training.train(null);
    }
    assertThat(run.guard()).doesNotExist();
  }

  @Test
  void aTrainingThatDidNotEndIsTwapUntilAGuardIsFitted() {
    var run = new RunFolder(folder);
    try (TrainingRun<?> training = open(CONFIG)) {
      training.train(null);
      Chosen chosen = RunCheckpoints.chosen(run, null);

      assertThat(Objects.requireNonNull(chosen.guard()).isTwap()).isTrue();
      assertThat(chosen.toString()).contains("guard: TWAP (no guard is fitted; tranche select");
      TrainedRun<?> trained = TrainedRun.of(training, TrainedRun.Input.OWN);
      trained.load(chosen);
      assertThat(trained.play("the agent", null).orders()).isEqualTo(trained.twap().orders());
      trained.load(RunCheckpoints.chosen(run, "best"));
      assertThat(trained.play("the agent", null).orders()).isNotEqualTo(trained.twap().orders());
    }
  }

  @Test
  void aRunThatAsksForNoGuardIsItsAgent() {
    try (TrainingRun<?> training = open(CONFIG.replace("guard: true", "guard: false"))) {
      training.train(null);

      assertThat(RunCheckpoints.chosen(new RunFolder(folder), null).guard()).isNull();
    }
  }

  @Test
  void anAgentWithARecordMayDeviate() {
    String config =
        """
        tranche: 1
        data: {market: {law: impact, instruments: 4, days: 160}}
        action_interpreter: {class: TwapRelativeInterpreter, kwargs: {max_rate: 8}}
        policy: {kwargs: {learning_rate: 0.004, entropy_weight: 0.001}}
        network: {class: RecurrentNetwork, kwargs: {hidden: 16, output: 8}}
        trainer: {max_iterations: 30, episodes_per_iteration: 200}
        validation: {every: 10, judge: false, guard: true}
        """;
    var run = new RunFolder(folder);
    try (TrainingRun<?> training = open(config)) {
      training.train(null);
      Chosen chosen = Objects.requireNonNull(Deployment.choose(training, run));

      assertThat(Objects.requireNonNull(chosen.guard()).isTwap()).as("%s", chosen).isFalse();
      assertThat(RunCheckpoints.chosen(run, null)).isEqualTo(chosen);
      TrainedRun<?> trained = TrainedRun.of(training, TrainedRun.Input.OWN);
      trained.load(chosen);
      assertThat(trained.judgement().assessment().overTwap().together().isAboveZero()).isTrue();
    }
  }

  @Test
  void aPartOfTheWayIsTheSameHereAndElsewhere() {
    try (TrainingRun<?> training = open(CONFIG);
        JobBackend backend = Backends.open(Backends.LOCAL, BackendSettings.ofThreads(2))) {
      training.train(null);
      Path weights = RunCheckpoints.chosen(new RunFolder(folder), "last").file();
      TrainedRun<?> trained = TrainedRun.of(training, TrainedRun.Input.OWN);
      trained.load(new Chosen(weights, "test", null));
      List<OrderResult> whole = trained.play("the agent", null).orders();
      trained.load(new Chosen(weights, "test", new DeviationGuard(1, "test")));
      assertThat(trained.play("the agent", null).orders()).isEqualTo(whole);
      trained.load(new Chosen(weights, "test", new DeviationGuard(0.5, "test")));

      List<OrderResult> part = trained.play("the agent", null).orders();

      assertThat(part).isNotEqualTo(whole).isNotEqualTo(trained.twap().orders());
      assertThat(part).allMatch(each -> Math.abs(each.completion() - 1) < 1e-6);
      assertThat(trained.play("the agent", backend).orders()).isEqualTo(part);
    }
  }

  @Test
  void theEmbeddedMarketHasAGuardOnlyIfAsked() throws Exception {
    try (TrainingRun<?> training = open(CONFIG.replace(", guard: true", ""))) {
      training.train(null);

      assertThat(Deployment.choose(training, new RunFolder(folder))).isNull();
      assertThat(training.parts().data().selectionOrders()).isEmpty();
    }
    try (var files = Files.list(folder)) {
      assertThat(files.map(Path::getFileName).map(Path::toString)).doesNotContain("guard.yml");
    }
  }
}
