package io.tranche.analysis.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.Yardsticks;
import io.tranche.config.ConfigFiles;
import io.tranche.market.Side;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.policy.weights.SafeTensors;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Difference;
import io.tranche.trainer.TrainingProgress;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The native recipe learns where there is something to learn, and says so where there is not. Runs
/// are opened, trained and judged as `tranche train` and `tranche demo` do it.
class LearningTest {

  private static final int STEP_SECONDS = 30 * 60;

  @TempDir private Path folder = Path.of("");

  private static ExecutionRun recipe(SyntheticConfig market) {
    ExecutionRun recipe = ExecutionRun.DEFAULT;
    return recipe
        .withData(BarData.DEFAULT.withMarket(market))
        .withTrainer(recipe.trainer().withSeed(market.seed()));
  }

  /// Small enough for every build: two iterations on a few days.
  private static ExecutionRun small() {
    return ExecutionRun.read(
        ConfigFiles.parse(
            "small.yml",
            """
            tranche: 1
            data: {market: {instruments: 4, days: 15}}
            env: {concurrency: 16}
            trainer: {max_iterations: 2, episodes_per_iteration: 64}
            validation: {every: 1, judge: false}
            """),
        _ -> {});
  }

  private static TrainingRun<?> open(ExecutionRun run, Path target, int threads) {
    return TrainingRun.open(
        run,
        TrainingOptions.in(target).withThreads(threads),
        (_, _, _) -> {},
        TrainingProgress.NONE,
        InstantSource.fixed(Instant.EPOCH));
  }

  private Path train(ExecutionRun run, String name, int threads) {
    Path target = folder.resolve(name);
    try (TrainingRun<?> training = open(run, target, threads)) {
      training.train(null);
    }
    return target;
  }

  /// Trains, keeps what was best on the validation days, and judges it on the test days.
  private Assessment learnt(ExecutionRun run, SyntheticMarket market) {
    Path target = folder.resolve("run");
    try (TrainingRun<?> training = open(run, target, 2)) {
      training.train(null);
      training.load(RunCheckpoints.chosen(new RunFolder(target), "best").file());
      var benchmarks = new Benchmarks(market, market.wholeDay(STEP_SECONDS));
      return Judge.of(training)
          .judge(
              (test, yardsticks) ->
                  yardsticks.withVwap(test, market).withOptimum(test, market, benchmarks.optimum()))
          .assessment();
    }
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void beatsTwapAndConstantActionsOnBothSides(long seed) {
    var config = SyntheticConfig.DEFAULT.withSeed(seed);

    Assessment assessment = learnt(recipe(config), new SyntheticMarket(config));

    assertThat(assessment.verdict().kind())
        .as(assessment.verdict().sentence())
        .isEqualTo(Verdict.Kind.BETTER);
    for (Side side : Side.values()) {
      assertThat(assessment.overTwap().sides().get(side)).matches(Difference::isAboveZero);
    }
    assertThat(assessment.shareOfOptimum()).isGreaterThan(0.6);
  }

  /// The figures are those of docs/continuous.md. Without room beyond the ends of their range,
  /// agents with rates reached 67 % to 89 % of the optimum, agents with choices reach 91 % to 94 %.
  @Tag("full")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | {class: Ppo, kwargs: {learning_rate: 0.002, entropy_weight: 0.001}}
          2 | {class: Ppo, kwargs: {learning_rate: 0.002, entropy_weight: 0.001}}
          3 | {class: Ppo, kwargs: {learning_rate: 0.002, entropy_weight: 0.001}}
          1 | {class: Ppo, kwargs: {learning_rate: 0.002, entropy_weight: 0.001, head: beta}}
          1 | {class: Sac, kwargs: {learning_rate: 0.001, minibatches: 8, temperature: 0.02}}
          """)
  void ratesReachWhatChoicesReach(long seed, String policy) {
    var config = SyntheticConfig.DEFAULT.withSeed(seed);
    ExecutionRun run =
        ExecutionRun.read(
            recipe(config)
                .toConfig()
                .with("action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 8}}")
                .with("policy=" + policy)
                .with("trainer.max_iterations=48"),
            _ -> {});

    Assessment assessment = learnt(run, new SyntheticMarket(config));

    assertThat(assessment.verdict().kind())
        .as(assessment.verdict().sentence())
        .isEqualTo(Verdict.Kind.BETTER);
    assertThat(assessment.shareOfOptimum()).isGreaterThan(0.8);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsNoDifferenceWhereThereIsNothingToLearn(long seed) {
    var config = SyntheticConfig.DEFAULT.withSeed(seed).withSignal(0);

    Assessment assessment = learnt(recipe(config), new SyntheticMarket(config));

    assertThat(assessment.verdict().kind())
        .as(assessment.verdict().sentence())
        .isEqualTo(Verdict.Kind.NO_DIFFERENCE);
  }

  @Tag("full")
  @Test
  void aStudentOfATeacherThatSeesTheWholeDayBeatsTwap() {
    ExecutionRun run = recipe(SyntheticConfig.DEFAULT);
    ExecutionRun half = run.withTrainer(run.trainer().withMaxIterations(40));
    Path teacher = folder.resolve("teacher");
    try (TrainingRun<?> training =
        open(half.withProblem(half.problem().withHindsight(true)), teacher, 2)) {
      Double taught = training.train(null).metrics().get("val/pa");
      var judge = Judge.of(training);
      double oracle =
          Yardsticks.of(
                  judge.player(OrderSplit.Tag.VALID),
                  training.parts().problem().actionInterpreter())
              .oracle()
              .meanBps(null);
      assertThat(taught).isGreaterThan(0.7 * oracle);
    }

    Assessment student =
        learnt(taught(half, teacher), new SyntheticMarket(SyntheticConfig.DEFAULT));

    assertThat(student.verdict().kind())
        .as(student.verdict().sentence())
        .isEqualTo(Verdict.Kind.BETTER);
  }

  /// Returns `run` as a student of the last agent in `teacher`.
  private static ExecutionRun taught(ExecutionRun run, Path teacher) {
    var section =
        ConfigFiles.of(
            "test",
            Map.of(
                "teacher", new RunFolder(teacher).checkpoints().resolve("latest.ckpt").toString()));
    return ExecutionRun.read(run.toConfig().with("distillation", section), _ -> {});
  }

  private static byte[] weights(Path run) {
    var file = new RunFolder(run).checkpoints().resolve("latest.ckpt");
    return new SafeTensors(CheckpointFile.read(file).policy(), Map.of()).toBytes();
  }

  @Test
  void threadsChangeNothingAndATeacherSomething() {
    Path teacher = train(small().withProblem(small().problem().withHindsight(true)), "teacher", 1);
    ExecutionRun student = taught(small(), teacher);

    byte[] alone = weights(train(student, "alone", 1));

    assertThat(weights(train(student, "together", 3))).isEqualTo(alone);
    assertThat(Arrays.equals(weights(train(small(), "untaught", 1)), alone)).isFalse();
  }

  @Test
  void fineTuningGoesOnFromTheWeightsOfAUniversalAgent() {
    Path universal = train(small(), "universal", 1);
    var file = new RunFolder(universal).checkpoints().resolve("latest.ckpt");
    ExecutionRun tuned =
        ExecutionRun.read(
            small()
                .toConfig()
                .with("data.instruments=[SYN0002]")
                .with("policy.kwargs.weight_file='" + file + "'"),
            _ -> {});

    try (TrainingRun<?> training = open(tuned, folder.resolve("tuned"), 1)) {
      float[] first = weights(training).clone();
      try (TrainingRun<?> other = open(small(), folder.resolve("other"), 1)) {
        assertThat(first).isNotEqualTo(weights(other));
        other.load(file);
        assertThat(first).isEqualTo(weights(other));
      }
      training.train(null);
      assertThat(weights(training)).isNotEqualTo(first);
    }
  }

  private static float[] weights(TrainingRun<?> run) {
    return run.algorithm().agent().weights().parts().getFirst().weights().values();
  }

  @Test
  void beforeItLearnsAnAgentFillsEveryOrder() {
    try (TrainingRun<?> training = open(small(), folder, 1)) {
      Assessment assessment = Judge.of(training).judge((_, yardsticks) -> yardsticks).assessment();

      assertThat(assessment.agent().completion(null)).isEqualTo(1);
      assertThat(assessment.verdict().kind()).isEqualTo(Verdict.Kind.NOT_ENOUGH_DAYS);
    }
  }
}
