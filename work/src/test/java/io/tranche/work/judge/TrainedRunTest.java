package io.tranche.work.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.selection.Selection;
import io.tranche.config.ConfigFiles;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.PolicyResults;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainedRunTest {

  private static final String CONFIG =
      """
      tranche: 1
      data:
        market: {instruments: 3, days: 60}
        orders: {seed: 1, windows: ["10:00-11:00", "13:00-15:00"]}
      simulator: {class: SimpleSimulator, kwargs: {participation: 0.02}}
      costs: cn_stocks
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 2, episodes_per_iteration: 40, repeat: 1}
      validation: {every: 1, judge: false}
      """;

  @TempDir static Path folder;

  @BeforeAll
  static void train() {
    try (TrainingRun<?> training =
        TrainingRun.open(
            ExecutionRun.read(ConfigFiles.parse("small.yml", CONFIG), _ -> {}),
            TrainingOptions.in(folder),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.fixed(Instant.EPOCH))) {
      training.train(null);
    }
  }

  private static TrainedRun<?> open(int threads) {
    var run = new RunFolder(folder);
    TrainedRun<?> opened =
        TrainedRun.open(run, TrainedRun.Input.OWN, folder, threads, (_, _, _) -> {}, _ -> {});
    opened.load(RunCheckpoints.chosen(run, "last").file());
    return opened;
  }

  @Test
  void givesTheSameResultsWhereverTheyArePlayed() {
    try (TrainedRun<?> one = open(1);
        TrainedRun<?> many = open(3);
        JobBackend backend = Backends.open(Backends.LOCAL, BackendSettings.ofThreads(3))) {
      PolicyResults alone = one.play("the agent", null);

      assertThat(many.play("the agent", null)).isEqualTo(alone);
      assertThat(one.play("the agent", backend)).isEqualTo(alone);
    }
  }

  @Test
  void keepsTheWindowsAndEveryDay() {
    try (TrainedRun<?> run = open(1)) {
      PolicyResults results = run.play("the agent", null);

      assertThat(results.orders()).hasSize(run.orders());
      assertThat(results.orders())
          .extracting(result -> result.order().start().toLocalTime().toString())
          .contains("10:00", "13:00");
      assertThat(results.orders().stream().map(each -> each.order().date()).distinct())
          .hasSize(12); // a fifth of the days
      assertThat(results.costBps()).isPositive();
    }
  }

  @Test
  void selectsTheSameOnABackend() {
    var checkpoints = RunCheckpoints.best(new RunFolder(folder), "val/pa", 2);
    try (TrainedRun<?> run = open(2);
        JobBackend backend = Backends.open(Backends.LOCAL, BackendSettings.ofThreads(2))) {
      Selection here = run.select(checkpoints, null, _ -> {});
      Selection there = run.select(checkpoints, backend, _ -> {});

      assertThat(there).isEqualTo(here);
      assertThat(here.verdict()).isNotNull();
      assertThat(here.checkpoints().getFirst().informationRatio()).isNotNaN();
    }
  }

  @Test
  void theOrdersThatGiveTheFinalFigureDoNotChoose() {
    var checkpoints = RunCheckpoints.best(new RunFolder(folder), "val/pa", 2);
    try (TrainedRun<?> run = open(2)) {
      Selection selection = run.select(checkpoints, null, _ -> {});

      var chosenOn =
          selection.checkpoints().getFirst().results().orders().stream()
              .map(each -> each.order().date())
              .distinct()
              .toList();
      assertThat(chosenOn).hasSize(12);
      assertThat(run.play("last", null).orders())
          .isNotEmpty()
          .noneMatch(each -> chosenOn.contains(each.order().date()));
    }
  }
}
