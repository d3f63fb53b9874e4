package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainCommandTest {

  private static final String TEACHER = "TEACHER";
  private static final String DQN =
      "policy={class: Dqn, kwargs: {learning_rate: 1.0e-3, minibatches: 2}}";

  @TempDir Path folder;
  private Path config;

  @BeforeEach
  void writeASmallConfiguration() throws IOException {
    config = SmallTraining.write(folder);
  }

  @Test
  void leavesARunDirectory() throws IOException {
    Run run = train("one");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("iteration 4/4: reward")
        .contains("gap to training")
        .contains("validation: ")
        .contains("done after 4 iterations and 80 episodes");
    assertThat(folder.resolve("one"))
        .isDirectoryContaining("glob:**/config.yml")
        .isDirectoryContaining("glob:**/metrics.jsonl")
        .isDirectoryContaining("glob:**/train_result.csv")
        .isDirectoryContaining("glob:**/validation_result.csv")
        .isDirectoryContaining("glob:**/events.out.tfevents.*");
    assertThat(SmallTraining.checkpoints(folder.resolve("one")))
        .containsExactly(
            "001.ckpt", "002.ckpt", "003.ckpt", "004.ckpt", "best-002.ckpt", "latest.ckpt");
    assertThat(Files.readAllLines(folder.resolve("one/metrics.jsonl"))).hasSize(4);
    assertThat(Files.readString(folder.resolve("one/config.yml")))
        .contains("batch_size: 1024", "class: CategoricalInterpreter");
  }

  @Test
  void theResolvedConfigurationGivesTheSameRun() throws IOException {
    train("one");

    Run.of("train", folder.resolve("one/config.yml").toString(), "--out", path("two"));

    SmallTraining.assertSameRun(folder.resolve("one"), folder.resolve("two"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy.kwargs.clip=0.2",
        DQN,
        "distillation={teacher: TEACHER}",
        "network={class: Layers, kwargs: {layers: [dense: 8, relu, dropout: 0.2, gru: 8]}}"
      })
  void threadsChangeNothing(String setting) throws IOException {
    if (setting.contains(TEACHER)) {
      train("teacher", "--set", "hindsight=true");
    }
    String own = setting.replace(TEACHER, path("teacher/checkpoints/latest.ckpt"));
    for (String threads : List.of("1", "2", "4")) {
      Run run = train(threads, "--threads", threads, "--set", own);
      assertThat(run.status()).as(run.err()).isZero();
    }

    SmallTraining.assertSameRun(folder.resolve("1"), folder.resolve("2"));
    SmallTraining.assertSameRun(folder.resolve("1"), folder.resolve("4"));
  }

  @Test
  void aSeedIsASetting() throws IOException {
    train("one", "--seed", "5");
    train("two", "--set", "runtime.seed=5");

    SmallTraining.assertSameRun(folder.resolve("one"), folder.resolve("two"));
  }

  @Test
  void goesOnWithALargerBudget() throws IOException {
    train("one", "--set", "trainer.max_iterations=2");

    Run run = train("one", "--resume");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("iteration 4/4").doesNotContain("iteration 2/");
    assertThat(Files.readAllLines(folder.resolve("one/metrics.jsonl"))).hasSize(4);
  }

  @Test
  void passesOverADamagedCheckpoint() throws IOException {
    train("one", "--set", "trainer.max_iterations=2");
    Path last = folder.resolve("one/checkpoints/002.ckpt");
    Files.write(last, java.util.Arrays.copyOf(Files.readAllBytes(last), 1000));
    Files.delete(folder.resolve("one/checkpoints/best-002.ckpt"));

    Run run = train("one", "--resume", "--set", "trainer.max_iterations=3");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("checkpoint skipped: ").contains("002.ckpt");
    assertThat(run.out()).contains("iteration 2/3");
  }

  @Test
  void refusesADamagedCheckpointThatIsAskedFor() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.ckpt"), "no checkpoint");

    Run run = train("one", "--resume", broken.toString());

    assertThat(run.status()).isEqualTo(4);
    assertThat(run.err()).contains("broken.ckpt").doesNotContain("Exception");
  }

  @Test
  void doesNotMixTwoRuns() throws IOException {
    train("one", "--set", "trainer.max_iterations=3");

    Run refused = train("one", "--set", "trainer.max_iterations=1");
    Run replaced = train("one", "--set", "trainer.max_iterations=1", "--overwrite");

    assertThat(refused.status()).isEqualTo(2);
    assertDocumented(refused.err());
    assertThat(replaced.status()).isZero();
    assertThat(SmallTraining.checkpoints(folder.resolve("one")))
        .containsExactly("001.ckpt", "latest.ckpt");
  }

  @Test
  void saysWhenTheRunDiverged() {
    Run run =
        train(
            "one",
            "--set",
            "policy={class: Ppo, kwargs: {learning_rate: 1.0e+30, max_norm: null}}",
            "--set",
            "trainer.repeat=5");

    assertThat(run.status()).isEqualTo(6);
    assertThat(run.err())
        .containsPattern("iteration \\d: .* must be finite, was .*; the last good checkpoint is");
    assertThat(run.err()).doesNotContain("Exception");
  }

  @Test
  void namesInstrumentAndTimeOfAMissingFeature() {
    Run stopped =
        train(
            "one",
            "--set",
            "state_interpreter={class: FullHistoryInterpreter, kwargs: {features: {class: HolesInFeatures}}}",
            "--set",
            "trainer.on_failure=propagate");

    assertThat(stopped.err())
        .contains("SYN0001")
        .contains("NaN")
        .containsPattern("tick 7 \\(\\d{4}-\\d\\d-\\d\\d 10:05:00\\)")
        .doesNotContain("Exception:");
    assertThat(stopped.status()).isEqualTo(3);
  }

  @Test
  void putsOrdersAsideAndSaysSo() {
    Run run =
        train(
            "one",
            "--set",
            "state_interpreter={class: FullHistoryInterpreter, kwargs: {features: {class: HolesInFeatures}}}",
            "--set",
            "validation.every=null");

    assertThat(run.status()).as(run.err()).isEqualTo(5);
    assertThat(run.err()).contains("put aside: episode").contains("SYN0001");
    assertThat(run.out()).containsPattern("\\d+ orders failed and were put aside");
  }

  @Test
  void makesFeaturesByThePipelineAndReadsThemInAnotherRun() {
    String pipeline =
        "data.features={start: 2024-01-08, end: 2024-01-26, day_length: 48,"
            + " columns: [$open, $high, $low, $close], norm_groups: {price: 8, volume: 2}}";
    String orders = "data.orders=" + folder.resolve("one/data/orders");

    Run made = train("one", "--set", pipeline);
    Run read =
        train(
            "two",
            "--set",
            "data={features: %s, orders: %s}"
                .formatted(folder.resolve("one/data/features"), folder.resolve("one/data/orders")),
            "--set",
            "validation.guard=false"); // as on the embedded market
    Run bars =
        train(
            "three",
            "--set",
            "data={bars: " + folder.resolve("one/data/bars") + "}",
            "--set",
            orders);

    assertThat(made.status()).as(made.err()).isZero();
    assertThat(read.status()).as(read.err()).isZero();
    assertThat(read.out().replace("/two", "/one")).isEqualTo(made.out());
    assertThat(folder.resolve("two/data")).doesNotExist();
    assertThat(bars.status()).as(bars.err()).isZero();
  }

  @Test
  void testsWhatItTrained() throws IOException {
    Run run = train("one", "--run-backtest");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("test: 16 orders, advantage ", " bps, costs 0.00, net ", "completion 100");
    assertThat(Files.readAllLines(folder.resolve("one/result.csv")))
        .hasSizeGreaterThan(2)
        .first()
        .isEqualTo(
            "instrument,side,start,end,amount,filled,completion,average_price,benchmark_price,"
                + "advantage_bps,cost_bps,net_advantage_bps");
  }

  @Test
  void hasNothingToDoWithoutTrainingAndBacktest() {
    Run run = train("one", "--no_training");

    assertThat(run.status()).isZero();
    assertThat(run.err()).startsWith("warning: neither training nor a backtest");
    assertThat(folder.resolve("one")).doesNotExist();
  }

  @Test
  void triesARunOut() {
    Run run = train("one", "--fast-dev-run", "3");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("done after 4 iterations and 12 episodes");
  }

  @Test
  void learnsFromReplayedExperience() {
    Run run =
        train(
            "one", "--set", "policy={class: Dqn, kwargs: {learning_rate: 1.0e-3, minibatches: 2}}");

    assertThat(run.status()).as(run.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trainer.max_epoch=3 | --set:1: trainer: expected a key out of",
        "policy.class=Pppo | (nearest: PPO), was 'Pppo'",
        "policy.kwargs.lr=1 | policy.kwargs: expected a key out of",
        "policy.module_path=qlib.rl | policy: expected no module for Ppo, was 'qlib.rl'",
        "policy.kwargs.learning_rate=fast | policy.kwargs.learning_rate: expected a number, was 'fast'",
        "network.kwargs.hidden=0 | network.kwargs.hidden: expected an integer of at least 1, was 0",
        "network=null | expected a network beside the policy, was none",
        "state_interpreter={class: CurrentStepInterpreter, kwargs: {max_steps: 8}} | or a state_interpreter that shows days, such as FullHistoryInterpreter",
        "action_interpreter={class: TwapRelativeInterpreter} | expected an action interpreter whose actions are discrete",
        "simulator.kwargs.minutes_per_step=31 | simulator.kwargs.minutes_per_step: expected minutes_per_step to be a multiple of data_granularity",
        "trainer=3 | trainer: expected a mapping, was 3",
        "nonsense | --set: expected a.b.c=value, was 'nonsense'",
        "trainer.max_iterations.x=1 | trainer.max_iterations.x: expected a mapping around it"
      })
  void answersAWrongSettingInOneLine(String assignment, String complaint) {
    Run run = train("one", "--set", assignment);

    assertThat(run.err()).contains(complaint);
    assertThat(run.err().lines().count()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--threads 0",
        "--fast-dev-run 0",
        "--seed x",
        "--seed -1",
        "--resume",
        "--plugins nowhere",
        "--plugins nowhere.jar",
        "extra"
      })
  void answersWrongUsage(String arguments) {
    Run run = train("one", arguments.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().count()).isBetween(1L, 2L);
    assertThat(run.err()).doesNotContain("Exception");
  }

  @Test
  void namesOrdersThatAreNotThere() {
    Run run = train("one", "--set", "data.orders=" + folder.resolve("none"));

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("none/train: expected an order file or a folder of them");
  }

  @Test
  void doesNotTrainOnTheDataOfAnotherConfiguration() {
    train("one", "--set", "trainer.max_iterations=1");

    Run run = train("one", "--overwrite", "--set", "data.market.seed=7");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("data: expected what").contains("or another --out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bars: nowhere.csv | 3 | data.bars: nowhere.csv: expected a file or folder, was none",
        "{market: {instruments: 2, days: 20}, features: nowhere} | 3 |"
            + " data.features: nowhere: expected a feature store with features.yml, was none",
        "{market: {instruments: 2, days: 20}, orders: nowhere} | 3 |"
            + " data.orders: nowhere/train: expected an order file or a folder of them, was none",
        "{market: {instruments: 2, days: 20}, features: {start: 2024-01-02, end: 2024-01-20,"
            + " day_length: 240, columns: [$close], norm_groups: {price: 3}}} | 2 |"
            + " data.features: norm_groups: expected groups of 4 columns in all, was {price=3}"
      })
  void aWrongSettingOfTheDataIsNamedWithItsFileAndLine(String data, int status, String message)
      throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.yml"), "tranche: 1\ndata:\n  " + data);

    Run run = Run.of("train", file.toString(), "--out", path("one"));

    assertThat(run.status()).isEqualTo(status);
    assertThat(run.err()).contains(file + ":3: " + message);
  }

  private Run train(String run, String... more) {
    var arguments = new ArrayList<>(List.of("train", config.toString(), "--out", path(run)));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  private String path(String run) {
    return folder.resolve(run).toString();
  }
}
