package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
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

/// The road of continuous actions, and what is said where it does not lead on.
class ContinuousActionsTest {

  private static final String RATES =
      "action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 6}}";
  private static final String SAC = "policy={class: Sac, kwargs: {learning_rate: 0.001}}";

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    SmallTraining.write(folder);
  }

  private Run train(String name, String... settings) {
    return train(name, List.of(), settings);
  }

  private Run train(String name, List<String> options, String... settings) {
    var arguments = new ArrayList<>(List.of("train", folder.resolve("small.yml").toString()));
    arguments.addAll(List.of("--out", folder.resolve(name).toString()));
    arguments.addAll(options);
    for (String each : settings) {
      arguments.addAll(List.of("--set", each));
    }
    return Run.of(arguments.toArray(String[]::new));
  }

  private static String refused(Run run, int status) {
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    String message =
        run.err().lines().filter(line -> line.contains("expected")).findFirst().orElse("");
    assertDocumented(message.substring(message.indexOf("expected")));
    return message;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TwapRelativeInterpreter | max_rate: 6                      | Ppo, head: gaussian
          TwapRelativeInterpreter | max_rate: 6                      | Ppo, head: beta
          TwapRelativeInterpreter | max_rate: 6                      | Sac, minibatches: 2
          VolumeInterpreter       | max_share: 0.5                   | Ppo, head: gaussian
          VolumeInterpreter       | max_share: 0.5                   | Ppo, head: beta
          VolumeInterpreter       | max_volume: 20000                | Sac, minibatches: 2
          QuoteInterpreter        | max_offset_bps: 6                | Ppo, head: gaussian
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3   | Ppo, head: gaussian
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3   | Ppo, head: beta
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3   | Sac, minibatches: 2
          """)
  void isTrainedTestedAndExported(String actions, String settings, String policy)
      throws IOException {
    String[] parts = policy.split(", ", 2);
    Run trained =
        train(
            "run",
            List.of("--run-backtest"),
            "action_interpreter={class: %s, kwargs: {%s}}".formatted(actions, settings),
            "policy={class: %s, kwargs: {learning_rate: 0.001, %s}}".formatted(parts[0], parts[1]),
            "trainer.max_iterations=2");
    assertThat(trained.status()).as(trained.err()).isZero();
    assertThat(Files.readAllLines(folder.resolve("run/result.csv"))).hasSizeGreaterThan(2);

    for (String file : List.of("m.tranche", "m.onnx", "m.pth", "m.safetensors")) {
      Run exported =
          Run.of(
              "export", folder.resolve("run").toString(), "--to", folder.resolve(file).toString());
      assertThat(exported.status()).as(exported.err()).isZero();
    }
    Run rounded =
        Run.of(
            "export",
            folder.resolve("run").toString(),
            "--quantize",
            "int8",
            "--to",
            folder.resolve("small.tranche").toString());
    assertThat(rounded.status()).as(rounded.err()).isZero();
    assertThat(rounded.out())
        .containsPattern("against float32: [\\d.]+ % of [\\d,]+ decisions agree");
  }

  @Test
  void theNumberOfThreadsChangesNothing() throws IOException {
    for (String policy : List.of("policy={class: Ppo, kwargs: {learning_rate: 0.001}}", SAC)) {
      Run one = train("one", List.of("--threads", "1", "--overwrite"), RATES, policy);
      Run two = train("two", List.of("--threads", "2", "--overwrite"), RATES, policy);

      assertThat(one.status()).as(one.err()).isZero();
      assertThat(two.status()).as(two.err()).isZero();
      SmallTraining.assertSameRun(folder.resolve("one"), folder.resolve("two"));
    }
  }

  @Test
  void aStudentLearnsFromAContinuousTeacher() throws IOException {
    Run teacher = train("teacher", RATES, SAC, "hindsight=true", "trainer.max_iterations=2");
    assertThat(teacher.status()).as(teacher.err()).isZero();
    List<String> taught = List.of(SmallTraining.taughtBy(folder.resolve("teacher")));

    for (String head : List.of("gaussian", "beta")) {
      Run student =
          train(
              head,
              taught,
              RATES,
              "policy={class: Ppo, kwargs: {learning_rate: 0.001, head: %s}}".formatted(head),
              "trainer.max_iterations=2");

      assertThat(student.status()).as(student.err()).isZero();
      assertThat(Files.readString(folder.resolve(head + "/metrics.jsonl")))
          .contains("loss/teacher");
    }

    assertThat(refused(train("other", taught), 2))
        .contains("a teacher with this run's action_interpreter, {class: CategoricalInterpreter")
        .contains("not with {class: TwapRelativeInterpreter, kwargs: {max_rate: 6}}");
    assertThat(refused(train("other", taught, RATES, SAC), 2))
        .contains("a policy that can be taught, such as Ppo, was 'Sac'");
  }

  /// With choices and with numbers: a network of layers reads whatever an interpreter shows.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{class: FullHistoryInterpreter}",
        "{class: CurrentStepInterpreter}",
        "{class: CurrentStepStateInterpreter, kwargs: {max_step: 8}}",
        "{class: DecisionInterpreter}",
        "{class: DummyInterpreter}",
        "{class: DummyStateInterpreter}"
      })
  void everyStateInterpreterIsTrainedWithAnMlp(String state) {
    for (List<String> agent :
        List.of(
            List.of("policy={class: Ppo, kwargs: {learning_rate: 0.001}}"),
            List.of(RATES, "policy={class: Ppo, kwargs: {learning_rate: 0.001, head: beta}}"),
            List.of(RATES, SAC))) {
      var settings = new ArrayList<>(agent);
      settings.addAll(
          List.of(
              "state_interpreter=" + state, "network={class: Mlp}", "trainer.max_iterations=1"));

      Run run = train("run", List.of("--overwrite"), settings.toArray(String[]::new));

      assertThat(run.status()).as(agent + run.err()).isZero();
    }
  }

  @Test
  void unboundedActionsCannotBeLearnt() {
    String message =
        refused(train("run", "action_interpreter={class: TwapRelativeInterpreter}"), 2);

    assertThat(message).contains("TwapRelativeInterpreter with max_rate");
    assertThat(refused(train("run", SAC), 2)).contains("continuous and have finite bounds");
    assertThat(
            refused(train("run", RATES, "policy={class: Dqn, kwargs: {learning_rate: 0.001}}"), 2))
        .contains("for continuous ones, the policies Ppo or Sac");
    assertThat(
            refused(
                train(
                    "run",
                    "action_interpreter={class: TwapRelativeActionInterpreter}",
                    "policy={class: PPO, kwargs: {lr: 0.001}}"),
                2))
        .contains("for continuous ones, the policies Ppo or Sac");
    assertThat(
            refused(
                train("run", "policy={class: Ppo, kwargs: {learning_rate: 0.001, head: beta}}"), 2))
        .contains("only with continuous actions");
  }

  @Test
  void aCheckpointOfOtherActionsIsRefused() {
    Run discrete = train("discrete", "trainer.max_iterations=1");
    assertThat(discrete.status()).as(discrete.err()).isZero();
    Run rates = train("rates", RATES, "trainer.max_iterations=1");
    assertThat(rates.status()).as(rates.err()).isZero();

    String changed =
        refused(
            train(
                "rates",
                List.of("--resume"),
                "action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 5}}",
                "trainer.max_iterations=2"),
            4);
    assertThat(changed).contains("actions in [-1.25, 6.25]").contains("[-1.5, 7.5]");
    String dials =
        "action_interpreter={class: QuoteInterpreter, kwargs: {max_offset_bps: %d, max_rate: 3}}";
    Run quotes = train("quotes", dials.formatted(5), "trainer.max_iterations=1");
    assertThat(quotes.status()).as(quotes.err()).isZero();
    assertThat(
            refused(
                train(
                    "quotes", List.of("--resume"), dials.formatted(6), "trainer.max_iterations=2"),
                4))
        .contains("the actions of this run, {class: QuoteInterpreter")
        .contains("max_offset_bps: 5");
    String other =
        refused(train("discrete", List.of("--resume"), RATES, "trainer.max_iterations=2"), 4);
    assertThat(other).contains("actions in [-1.5, 7.5]").contains("5 choices");
    String weights =
        "policy={class: Ppo, kwargs: {learning_rate: 0.001, weight_file: '%s'}}"
            .formatted(folder.resolve("discrete/checkpoints/latest.ckpt"));
    assertThat(refused(train("fresh", RATES, weights), 4)).contains("expected an actor with");
  }

  /// Under Qlib's names what Qlib cannot learn is refused; the names that can are native, and they
  /// work in the same file.
  @Test
  void whatQlibCannotCombineIsRefusedWithTheNativeNames() throws IOException {
    String text = Files.readString(Shared.orSkip("qlib-run/exp_configs/run_train_ppo.yml"));
    Path config =
        Files.writeString(
            folder.resolve("qlib.yml"),
            text.replace("./data", Shared.orSkip("qlib-run/data").toString()));
    String qlib = "qlib.rl.order_execution.interpreter";
    String unbounded =
        "action_interpreter={class: TwapRelativeActionInterpreter, module_path: %s}"
            .formatted(qlib);
    String bounded = "action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}";
    String ppo = "policy={class: Ppo, kwargs: {learning_rate: 0.001}}";

    assertThat(refused(qlib(config, unbounded), 2))
        .contains(
            "qlib.yml:30: policy.kwargs",
            "actions are discrete; for continuous ones, the policies Ppo or Sac");
    assertThat(refused(qlib(config, unbounded, ppo), 2))
        .contains("have finite bounds, such as TwapRelativeInterpreter with max_rate");
    assertThat(refused(qlib(config, bounded), 2)).contains("the policies Ppo or Sac");
    Run fitting = qlib(config, bounded, ppo);
    assertThat(fitting.status()).as(fitting.err()).isZero();
  }

  private Run qlib(Path config, String... settings) {
    var arguments = new ArrayList<>(List.of("train", config.toString(), "--overwrite"));
    arguments.addAll(List.of("--out", folder.resolve("qlib run").toString()));
    arguments.addAll(
        List.of("--set", "trainer.max_epoch=1", "--set", "trainer.val_every_n_epoch=1"));
    arguments.addAll(
        List.of("--set", "trainer.episode_per_collect=8", "--set", "trainer.repeat_per_collect=1"));
    for (String each : settings) {
      arguments.addAll(List.of("--set", each));
    }
    return Run.of(arguments.toArray(String[]::new));
  }
}
