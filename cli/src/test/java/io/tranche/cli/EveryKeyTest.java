package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.run.ConfigKey;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import io.tranche.testkit.Shared;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Each key of a run does something: changed alone, it changes what the run leaves in its folder,
/// or, where that is its promise, nothing of the result.
class EveryKeyTest {

  /// A key, and a setting in which only it differs from the plain run.
  ///
  /// @param leaves a file whose name or content differs then, or `nothing`
  record Case(String key, String setting, String leaves) {}

  static final List<Case> CASES =
      List.of(
          new Case("data.market", "data={market: {instruments: 1, days: 12}}", "metrics.jsonl"),
          new Case("data.bars", "data.bars='OTHER'", "metrics.jsonl"),
          new Case("data.session", "data.session='09:30-13:00'", "metrics.jsonl"),
          new Case(
              "data.label", "data={bars: 'BARS', session: us_stocks, label: end}", "metrics.jsonl"),
          new Case(
              "data.time_zone",
              "data={bars: 'BARS', session: us_stocks, time_zone: America/Chicago}",
              "metrics.jsonl"),
          new Case(
              "data.mapping", "data.mapping={rename: {open: close, close: open}}", "metrics.jsonl"),
          new Case("data.features", "data.features={providers: [time_of_day]}", "metrics.jsonl"),
          new Case(
              "data.expressions",
              "data.expressions={gap: '$close/Ref($close,1)-1'}",
              "metrics.jsonl"),
          new Case(
              "data.tables", "data.tables=[{table: 'TABLE', columns: [size]}]", "metrics.jsonl"),
          new Case("data.orders", "data.orders='ORDERS'", "data/orders"),
          new Case("data.orders.seed", "data.orders.seed=2", "data/orders"),
          new Case("data.orders.size", "data.orders.size=0.05", "data/orders"),
          new Case("data.orders.size_of", "data.orders.size_of=bar", "data/orders"),
          new Case("data.orders.size_deviation", "data.orders.size_deviation=0", "data/orders"),
          new Case("data.orders.windows", "data.orders.windows=['10:00-12:00']", "data/orders"),
          new Case("data.orders.per_day", "data.orders.per_day=2", "data/orders"),
          new Case("data.orders.sides", "data.orders.sides=buy", "data/orders"),
          new Case("data.both_sides", "data.both_sides=false", "metrics.jsonl"),
          new Case("data.instruments", "data.instruments=[USSTOCKS0]", "metrics.jsonl"),
          new Case("hindsight", "hindsight=true", "metrics.jsonl"),
          new Case("distillation", "distillation={teacher: 'TEACHER'}", "metrics.jsonl"),
          new Case("costs", "costs=us_stocks", "metrics.jsonl"),
          new Case("simulator", "simulator={kwargs: {minutes_per_step: 60}}", "metrics.jsonl"),
          new Case(
              "state_interpreter", "state_interpreter={kwargs: {mirror: false}}", "metrics.jsonl"),
          new Case(
              "action_interpreter", "action_interpreter={kwargs: {shares: 2}}", "metrics.jsonl"),
          new Case("reward", "reward={class: ShortfallReward}", "metrics.jsonl"),
          new Case(
              "callbacks",
              "callbacks=[{class: EarlyStopping, kwargs: {monitor: val/pa, patience: 1,"
                  + " baseline: 1e9}}]",
              "003.ckpt"),
          new Case(
              "log_writers",
              "log_writers=[{class: JsonLinesWriter, kwargs: {file: own.jsonl}}]",
              "own.jsonl"),
          new Case("network", "network={kwargs: {hidden: 5, output: 2}}", "latest.ckpt"),
          new Case("policy", "policy={kwargs: {learning_rate: 0.1}}", "latest.ckpt"),
          new Case("env.concurrency", "env.concurrency=1", "metrics.jsonl"),
          new Case("env.parallel_mode", "env.parallel_mode=dummy", "nothing"),
          new Case("runtime.seed", "runtime.seed=2", "latest.ckpt"),
          new Case("runtime.threads", "runtime.threads=2", "nothing"),
          new Case("trainer.max_iterations", "trainer.max_iterations=1", "002.ckpt"),
          new Case(
              "trainer.episodes_per_iteration",
              "trainer.episodes_per_iteration=9",
              "metrics.jsonl"),
          new Case("trainer.batch_size", "trainer.batch_size=8", "latest.ckpt"),
          new Case("trainer.repeat", "trainer.repeat=2", "latest.ckpt"),
          new Case("trainer.batching", "trainer.batching=transitions", "latest.ckpt"),
          new Case("trainer.start_near_twap", "trainer.start_near_twap=false", "latest.ckpt"),
          new Case("trainer.pretrain_epochs", "trainer.pretrain_epochs=2", "latest.ckpt"),
          new Case("trainer.freeze", "trainer.freeze=[actor.extractor.]", "latest.ckpt"),
          new Case("augmentation.scale", "augmentation.scale=0.5", "latest.ckpt"),
          new Case("augmentation.noise", "augmentation.noise=0.5", "latest.ckpt"),
          new Case("augmentation.jitter_minutes", "augmentation.jitter_minutes=90", "latest.ckpt"),
          new Case("augmentation.bootstrap", "augmentation.bootstrap=true", "latest.ckpt"),
          new Case("trainer.fast_dev_run", "trainer.fast_dev_run=1", "metrics.jsonl"),
          new Case("validation.every", "validation.every=2", "metrics.jsonl"),
          new Case("validation.judge", "validation.judge=false", "nothing"),
          new Case("validation.guard", "validation.guard=false", "metrics.jsonl"));

  /// What needs more than one run, a fault or a plug-in to be seen, and the test that has it.
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("metrics", "PluginJarTest"),
          Map.entry("aux_info", "PluginJarTest"),
          Map.entry("data.neutral", "EveryKeyTest"),
          Map.entry("trainer.on_failure", "TrainCommandTest"),
          Map.entry("trainer.buffer_size", "EveryKeyTest"),
          Map.entry("trainer.checkpoint_path", "EveryKeyTest"),
          Map.entry("checkpoint.dirpath", "RunSwitchesTest"),
          Map.entry("checkpoint.filename", "RunSwitchesTest"),
          Map.entry("checkpoint.save_latest", "RunSwitchesTest"),
          Map.entry("checkpoint.every_n_iters", "RunSwitchesTest"),
          Map.entry("checkpoint.time_interval", "RunSwitchesTest"),
          Map.entry("checkpoint.save_on_fit_end", "RunSwitchesTest"),
          Map.entry("checkpoint.keep", "RunSwitchesTest"),
          Map.entry("validation.monitor", "RunSwitchesTest"),
          Map.entry("validation.mode", "RunSwitchesTest"),
          Map.entry("validation.patience", "RunSwitchesTest"),
          Map.entry("validation.min_delta", "RunSwitchesTest"),
          Map.entry("validation.baseline", "RunSwitchesTest"),
          Map.entry("validation.restore_best_weights", "RunSwitchesTest"),
          Map.entry("validation.keep_best", "RunSwitchesTest"));

  private static final String TRAINER =
      "max_iterations: 3, episodes_per_iteration: 6, repeat: 1, batch_size: 16";

  @TempDir static Path shared;
  private static Path config;
  private static Path other;
  private static Map<String, String> plain;

  @TempDir Path folder;

  @BeforeAll
  static void trainThePlainRun() throws IOException {
    Path bars =
        new MarketBars(Kind.US_STOCKS, 30, Columns.HIGHS_AND_LOWS, 15, 7)
            .write(shared.resolve("one"));
    other =
        new MarketBars(Kind.US_STOCKS, 30, Columns.HIGHS_AND_LOWS, 15, 8)
            .write(shared.resolve("two"));
    config =
        Files.writeString(
            shared.resolve("plain.yml"),
            """
            tranche: 1
            data: {bars: '%s'}
            env: {concurrency: 3}
            runtime: {threads: 1}
            network: {kwargs: {hidden: 4, output: 2}}
            trainer: {%s}
            validation: {every: 1}
            """
                .formatted(bars, TRAINER));
    var table = new StringBuilder("date,instrument,size\n");
    MarketBars.Kind.US_STOCKS
        .instruments()
        .forEach(
            name -> table.append("2024-03-0%d,%s,0.5\n".formatted(1 + name.length() % 4, name)));
    Files.writeString(shared.resolve("table.csv"), table);
    plain = left(train("plain"));
    train("teacher", "hindsight=true");
    Run orders =
        Run.of("orders", "generate", bars.toString(), "--out", shared.resolve("orders") + "");
    assertThat(orders.status()).as(orders.err()).isZero();
  }

  @Test
  void hasEveryKey() throws IOException {
    var known = new ArrayList<>(CASES.stream().map(Case::key).toList());
    known.addAll(ELSEWHERE.keySet());
    assertThat(known)
        .containsExactlyInAnyOrderElementsOf(
            ConfigKey.all().stream().map(ConfigKey::path).toList());
    for (var each : ELSEWHERE.entrySet()) {
      String key = each.getKey().substring(each.getKey().lastIndexOf('.') + 1);
      Path test =
          Shared.root()
              .resolve("cli/src/test/java/io/tranche/cli/%s.java".formatted(each.getValue()));
      assertThat(Files.readString(test)).as(each.toString()).contains(key);
    }
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void aKeyDoesWhatItSays(Case each) throws IOException {
    Map<String, String> changed = left(train(each.key(), filled(each.setting())));

    var different = new ArrayList<String>();
    var names = new TreeMap<>(plain);
    names.putAll(changed);
    for (String name : names.keySet()) {
      if (!String.valueOf(plain.get(name)).equals(String.valueOf(changed.get(name)))) {
        different.add(name);
      }
    }
    if (each.leaves().equals("nothing")) {
      assertThat(different).isEmpty();
    } else {
      assertThat(different).anyMatch(name -> name.contains(each.leaves()));
    }
  }

  @Test
  void anOffPolicyAlgorithmForgetsWhatItsBufferCannotHold() throws IOException {
    String dqn = "policy={class: Dqn, kwargs: {learning_rate: 0.001}}";
    Map<String, String> large = left(train("large", dqn, "trainer.buffer_size=1000"));
    Map<String, String> small = left(train("small", dqn, "trainer.buffer_size=40"));

    assertThat(small.get("checkpoints/latest.ckpt"))
        .isNotEqualTo(large.get("checkpoints/latest.ckpt"));
  }

  @Test
  void aNeutralRunLearnsFromOtherPrices() throws IOException {
    String data = "data={market: {instruments: 12, days: 15}, neutral: %s}";
    Map<String, String> neutral = left(train("neutral", data.formatted(true)));
    Map<String, String> real = left(train("not neutral", data.formatted(false)));

    assertThat(neutral.get("checkpoints/latest.ckpt"))
        .isNotEqualTo(real.get("checkpoints/latest.ckpt"));
  }

  @Test
  void variantsAndForecastsDependNeitherOnThreadsNorOnAStop() throws IOException {
    String[] settings = {
      "augmentation={scale: 0.3, noise: 0.1, jitter_minutes: 60, bootstrap: true}",
      "trainer.pretrain_epochs=2",
      "data.orders.windows=['10:00-14:00']"
    };
    Path whole = train("variants", settings);
    Path threads = train("variants on threads", with(settings, "runtime.threads=3"));
    Path stopped = train("variants, stopped", with(settings, "trainer.max_iterations=1"));
    Run resumed =
        Run.of(
            "train",
            stopped.resolve("config.yml").toString(),
            "--out",
            stopped.toString(),
            "--resume",
            "--set",
            "trainer.max_iterations=3");

    assertThat(resumed.status()).as(resumed.err()).isZero();
    assertThat(left(threads)).isEqualTo(left(whole));
    assertThat(left(stopped).get("checkpoints/003.ckpt"))
        .isEqualTo(left(whole).get("checkpoints/003.ckpt"));
  }

  private static String[] with(String[] settings, String other) {
    var all = new ArrayList<>(List.of(settings));
    all.add(other);
    return all.toArray(String[]::new);
  }

  @Test
  void aJudgedValidationIsComparedInTheOutput() {
    String line = "validation.judge=";
    Run with = run("judged", line + true);
    Run without = run("not judged", line + false);

    assertThat(with.out()).contains("\nvalidation: ");
    assertThat(without.out()).doesNotContain("\nvalidation: ");
  }

  @Test
  void theRunGoesWhereTheConfigurationSays() {
    Run run =
        Run.of(
            "train",
            config.toString(),
            "--set",
            "trainer.checkpoint_path='%s'".formatted(folder.resolve("there")));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(folder.resolve("there/checkpoints/latest.ckpt")).isRegularFile();
  }

  private static String filled(String setting) {
    return setting
        .replace("BARS", shared.resolve("one/us_stocks-30min.csv").toString())
        .replace("OTHER", other.toString())
        .replace("TABLE", shared.resolve("table.csv").toString())
        .replace("ORDERS", shared.resolve("orders").toString())
        .replace("TEACHER", shared.resolve("teacher/checkpoints/latest.ckpt").toString());
  }

  private static Path train(String name, String... settings) {
    run(name, settings);
    return shared.resolve(name);
  }

  private static Run run(String name, String... settings) {
    Path out = shared.resolve(name);
    var arguments = new ArrayList<>(List.of("train", config.toString(), "--out", out.toString()));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    Run run = Run.of(arguments.toArray(String[]::new));
    assertThat(run.status()).as(run.err()).isZero();
    return run;
  }

  /// Returns what is in each file, but for the configuration and for times. Of checkpoints, which
  /// hold the configuration, it is the weights.
  private static Map<String, String> left(Path run) throws IOException {
    var files = new TreeMap<String, String>();
    try (var paths = Files.walk(run)) {
      for (Path path :
          paths
              .filter(
                  each ->
                      Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
                          || Files.isSymbolicLink(each))
              .toList()) {
        String name = run.relativize(path).toString();
        if (name.endsWith(".ckpt")) {
          var weights = new StringBuilder();
          CheckpointFile.policyState(path)
              .tensors()
              .forEach(
                  (key, tensor) -> weights.append(key).append(Arrays.hashCode(tensor.toArray())));
          files.put(name, weights.toString());
        } else if (!name.matches(".*(config.yml|lock|process.jsonl|events.out.tfevents.*)")) {
          files.put(name, Integer.toString(Arrays.hashCode(Files.readAllBytes(path))));
        }
      }
    }
    return files;
  }
}
