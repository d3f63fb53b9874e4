package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.cli.console.ExitCode;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.testkit.Cases;
import io.tranche.testkit.ExchangeBacktest;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.Shared;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.ClusterStarter;
import io.tranche.work.JobBackend;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A real Spark master and two workers, processes of this machine, that lose one of them.
class ClusterTest {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 8, days: 40}}
      env: {concurrency: 10, parallel_mode: shmem}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 2, episodes_per_iteration: 20, repeat: 1}
      validation: {every: 1}
      """;

  /// Most tasks are done twice.
  private static final Map<String, String> SPECULATION =
      Map.of(
          "spark.speculation", "true",
          "spark.speculation.interval", "50ms",
          "spark.speculation.multiplier", "1.01",
          "spark.speculation.quantile", "0.1");

  /// A block of commands, and why no test can run it.
  private static final Pattern COMMANDS =
      Pattern.compile("(<!-- not run: [^>]+ -->\n)?```bash\n(.*?)```", Pattern.DOTALL);

  @TempDir static Path folder;

  private static Path run = Path.of("");
  private static ClusterStarter.@Nullable Cluster cluster;

  @BeforeAll
  static void trainAndStart() throws IOException {
    run = folder.resolve("run");
    Path config = Files.writeString(folder.resolve("small.yml"), CONFIG);
    assertThat(tranche("train", config.toString(), "--out", run.toString())).isZero();
    cluster = Backends.clusterStarter().start(2, new ClusterStarter.Size(1, 512), ClusterTest::say);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void losingAWorkerInTheMiddleChangesNoByte() throws IOException {
    ConfigNode config = backtest(run.resolve("data/bars"), folder.resolve("losing"));
    BacktestOptions options = BacktestOptions.DEFAULT.withLogs(true).withThreads(1);
    Path here = folder.resolve("here");
    try (Backtest backtest = Backtest.open(config, options.in(here), _ -> {})) {
      backtest.run((_, _, _) -> {});
    }
    Path there = folder.resolve("there");
    var lost = new AtomicBoolean();

    try (JobBackend place = open(SPECULATION);
        Backtest backtest = Backtest.open(config, options.in(there), _ -> {})) {
      backtest.run(
          place,
          (_, _, _) -> {
            if (lost.compareAndSet(false, true)) {
              killAWorker(started());
            }
          });
    }

    assertThat(lost).isTrue();
    assertSameFiles(here, there, List.of("backtest_result.parquet"));
  }

  @Test
  void trainingThatLosesAWorkerIsTheSame() throws Exception {
    // A kill after the last episodes would prove nothing, so then there is another try.
    Path there = folder.resolve("trained0");
    for (int i = 1; i < 4 && !trainAndLoseAWorker(there); i++) {
      there = folder.resolve("trained" + i);
    }

    assertThat(there).isNotEqualTo(folder.resolve("trained3"));
    for (String file :
        List.of(
            "checkpoints/001.ckpt",
            "checkpoints/002.ckpt",
            "metrics.jsonl",
            "train_result.csv",
            "validation_result.csv")) {
      assertThat(there.resolve(file)).as(file).hasSameBinaryContentAs(run.resolve(file));
    }
  }

  /// Returns whether a worker was lost while the second iteration was still to be played.
  private static boolean trainAndLoseAWorker(Path there) throws Exception {
    var inTime = new AtomicBoolean();
    try (var mortal =
        Backends.clusterStarter().start(2, new ClusterStarter.Size(1, 512), ClusterTest::say)) {
      Thread killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (Files.notExists(there.resolve("checkpoints/001.ckpt"))) {
                      LockSupport.parkNanos(1_000_000);
                    }
                    killAWorker(mortal);
                    inTime.set(Files.notExists(there.resolve("checkpoints/002.ckpt")));
                  });
      String config = folder.resolve("small.yml").toString();
      int status = tranche(at(mortal, "train", config, "--out", "" + there));

      assertThat(status).isZero();
      killer.join();
    }
    return inTime.get();
  }

  @Test
  void selectionsAreTheSame() throws IOException {
    Path other = folder.resolve("other");
    copy(run, other);

    int here = tranche("select", run.toString());
    int there = tranche(at("select", other.toString()));

    assertThat(here).isZero();
    assertThat(there).isZero();
    assertThat(report(other)).isEqualTo(report(run));
    assertThat(other.resolve("selected.ckpt")).hasSameBinaryContentAs(run.resolve("selected.ckpt"));
  }

  /// Returns the report of a selection without the name of its run.
  private static String report(Path of) throws IOException {
    return Files.readString(of.resolve("report.json"))
        .replace(of.toString(), "RUN")
        .replace("Checkpoints of " + of.getFileName(), "Checkpoints of RUN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          US_STOCKS  | QUOTES         | random  | , participation: 0.02, latency: 1, costs: us_stocks
          CN_STOCKS  | HIGHS_AND_LOWS | waiting | , lot: 100, price_limit: 0.004, costs: cn_stocks
          CN_FUTURES | NEITHER        | random  | , lot: 1, latency: 1, costs: {preset: cn_futures, impact: {linear: 0.1}}
          CRYPTO     | QUOTES         | trained | ''
          """)
  void ordersOfEveryMarketEndTheSame(
      MarketBars.Kind kind, MarketBars.Columns columns, String agent, String frictions)
      throws IOException {
    String menu =
        """
        action_interpreter:
          class: QuoteInterpreter
          kwargs: {shares: [0, 0.15, 0.5, 1], offsets_bps: [market, 3, -2]}
        """;
    Path place = folder.resolve(kind.name());
    List<String> agents =
        Cases.count(0, 1) == 0 ? List.of(agent) : List.of("trained", "waiting", "random");
    assertOrdersEndTheSame(
        new MarketBars(kind, 15, columns, 10, 5), frictions, menu, place, agents);
  }

  /// Training there, too: experience of numbers comes back from executors.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          US_STOCKS  | TwapRelativeInterpreter | max_rate: 6                    | Ppo, head: gaussian
          CN_FUTURES | QuoteInterpreter        | max_offset_bps: 6, max_rate: 3 | Sac, minibatches: 2
          """)
  void continuousActionsAreTheSame(
      MarketBars.Kind kind, String actions, String settings, String policy) throws IOException {
    assertContinuousActionsAreTheSame(kind, actions, settings, policy);
  }

  /// Every continuous interpreter with every policy that learns it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TwapRelativeInterpreter | max_rate: 6
          VolumeInterpreter       | max_share: 0.4
          VolumeInterpreter       | max_volume: 900
          QuoteInterpreter        | max_offset_bps: 6
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3
          """)
  @Tag("full")
  void everyContinuousAgentIsTheSame(String actions, String settings) throws IOException {
    for (String policy : List.of("Ppo, head: gaussian", "Ppo, head: beta", "Sac, minibatches: 2")) {
      assertContinuousActionsAreTheSame(MarketBars.Kind.US_STOCKS, actions, settings, policy);
    }
  }

  private static void assertContinuousActionsAreTheSame(
      MarketBars.Kind kind, String actions, String settings, String policy) throws IOException {
    String[] parts = policy.split(", ", 2);
    String agent =
        """
        action_interpreter: {class: %s, kwargs: {%s}}
        policy: {class: %s, kwargs: {learning_rate: 0.001, %s}}
        """
            .formatted(actions, settings, parts[0], parts[1]);
    Path place = folder.resolve(actions);
    var market = new MarketBars(kind, 15, MarketBars.Columns.QUOTES, 10, 5);
    assertOrdersEndTheSame(market, ", participation: 0.05", agent, place, List.of("random"));

    Path there = place.resolve("run-there");
    assertThat(tranche(at("train", "" + place.resolve("train.yml"), "--out", "" + there))).isZero();
    assertThat(there.resolve("checkpoints/001.ckpt"))
        .hasSameBinaryContentAs(place.resolve("run/checkpoints/001.ckpt"));
    StagedFolder.delete(place);
  }

  private static void assertOrdersEndTheSame(
      MarketBars market, String frictions, String parts, Path place, List<String> agents)
      throws IOException {
    Path bars = market.write(place);
    Path config =
        Files.writeString(
            place.resolve("train.yml"),
            """
            tranche: 1
            data: {bars: '%s'}
            simulator: {class: SimpleSimulator, kwargs: {minutes_per_step: 30%s}}
            %snetwork: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            trainer: {max_iterations: 1, episodes_per_iteration: 10, repeat: 1}
            validation: {every: 1}
            """
                .formatted(bars, frictions, parts));
    String trained = place.resolve("run").toString();
    assertThat(tranche("train", config.toString(), "--out", trained)).isZero();
    for (String each : agents) {
      String weights = weights(place, each).toString();
      String[] here = {
        "backtest", trained, "--weights", weights, "--out", place.resolve("here-" + each).toString()
      };
      String[] there = here.clone();
      there[there.length - 1] = place.resolve("there-" + each).toString();

      assertThat(tranche(here)).isZero();
      assertThat(tranche(at(there))).isZero();

      assertThat(place.resolve("there-%s/result.csv".formatted(each)))
          .hasSameBinaryContentAs(place.resolve("here-%s/result.csv".formatted(each)));
    }
  }

  /// Returns the weights of a run's only checkpoint; zeros, with which an agent always takes the
  /// first action, a cancel; or random ones.
  private static Path weights(Path place, String agent) {
    Path checkpoint = place.resolve("run/checkpoints/001.ckpt");
    if (agent.equals("trained")) {
      return checkpoint;
    }
    var tensors = new LinkedHashMap<String, Tensor>();
    CheckpointFile.policyState(checkpoint)
        .tensors()
        .forEach(
            (name, like) -> {
              // Actor and critic share an extractor, under several names.
              var random = new Random(name.replaceAll(".*(extractor|actor|critic)", "").hashCode());
              float[] values = new float[like.size()];
              for (int i = 0; i < values.length && agent.equals("random"); i++) {
                values[i] = (float) random.nextGaussian();
              }
              tensors.put(name, Tensor.of(like.shape(), values));
            });
    Path file = place.resolve(agent + ".pth");
    TorchFile.write(file, new StateDict(tensors));
    return file;
  }

  @Test
  void dataThatAnExecutorLacksAreNamed() throws IOException {
    Path store = folder.resolve("store");
    copy(run.resolve("data/bars"), store);
    ConfigNode config = backtest(store, folder.resolve("lacking"));

    try (JobBackend place = open(Map.of());
        Backtest backtest =
            Backtest.open(config, BacktestOptions.DEFAULT.in(folder.resolve("none")), _ -> {})) {
      StagedFolder.delete(store);
      assertThatThrownBy(() -> backtest.run(place, (_, _, _) -> {}))
          .isInstanceOf(DataException.class)
          .hasMessageMatching("(?s)executor \\d+ on .*: .*" + store + ".*");
    }
  }

  @Test
  void executorsThatDoNotComeAreOneMessage() throws IOException {
    Path config = folder.resolve("greedy.yml");
    Files.writeString(
        config, backtest(run.resolve("data/bars"), folder.resolve("greedy")).toYaml());
    var err = new StringWriter();

    int status =
        tranche(
            err,
            at(
                "backtest",
                config.toString(),
                "--spark-conf",
                "spark.executor.memory=900g",
                "--spark-conf",
                "spark.scheduler.maxRegisteredResourcesWaitingTime=1s"));

    assertThat(status).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("--on: expected an executor within 1 s, was none at spark://")
        .contains("a free core and 900g of memory");
  }

  /// The commands of the pages, with the reader's files and this cluster's address.
  @ParameterizedTest
  @ValueSource(strings = {"how-to/cluster.md", "scaling.md", "training.md"})
  @Tag("full")
  void everyCommandOfThePagesWorks(String page) throws IOException {
    Path work = folder.resolve("page");
    Path config = work.resolve("backtest.yml");
    Files.createDirectories(work);
    Files.writeString(config, backtestText(run.resolve("data/bars"), work, 1));
    List<String> commands =
        COMMANDS
            .matcher(Files.readString(Shared.root().resolve("docs").resolve(page)))
            .results()
            .filter(block -> block.group(1) == null)
            .flatMap(block -> block.group(2).lines())
            .filter(line -> line.startsWith("./tranche "))
            .map(line -> line.substring("./tranche ".length()).replaceAll("\\s+#.*", ""))
            .toList();

    assertThat(commands).isNotEmpty();
    for (String command : commands) {
      String verb =
          command
              .replace("backtest.yml", "%s --out %s".formatted(config, work.resolve("result")))
              .replace(
                  "CONFIG",
                  "%s --out %s".formatted(folder.resolve("small.yml"), work.resolve("run")));
      String[] words = verb.replace(" --on spark://HOST:7077", "").split(" ");
      assertThat(tranche(verb.contains(" --on ") ? at(words) : words)).as(command).isZero();
    }
    StagedFolder.delete(work);
  }

  /// Returns a backtest of orders on every day, by the policy that was trained.
  private static ConfigNode backtest(Path store, Path work) throws IOException {
    return ConfigFiles.parse("test", backtestText(store, work, 0));
  }

  /// @param left how many of the last days have no orders; those of the very last fail, as in Qlib
  private static String backtestText(Path store, Path work, int left) throws IOException {
    Files.createDirectories(work);
    var lines = new ArrayList<>(List.of("datetime,instrument,amount,direction"));
    try (QlibStore bars = QlibStore.open(run.resolve("data/bars"), Frequency.parse("5min"))) {
      for (int day = 0; day < bars.calendar().days() - left; day++) {
        for (String instrument : bars.instruments()) {
          lines.add("%s,%s,1000,%d".formatted(bars.calendar().date(day), instrument, day % 2));
        }
      }
    }
    Path orders = Files.write(work.resolve("orders.csv"), lines);
    Path weights = run.resolve("checkpoints/002.ckpt");
    return ExchangeBacktest.yaml(store, orders, weights, 8, 4);
  }

  private static JobBackend open(Map<String, String> options) {
    var all = new HashMap<>(started().options());
    all.putAll(options);
    return Backends.open(
        started().address(), new BackendSettings(1, List.of(), all, ClusterTest::say));
  }

  private static ClusterStarter.Cluster started() {
    return Objects.requireNonNull(cluster);
  }

  /// Workers are children of this process; its end is sudden.
  private static void killAWorker(ClusterStarter.Cluster of) {
    ProcessHandle worker =
        ProcessHandle.current()
            .children()
            .filter(
                child ->
                    Arrays.asList(child.info().arguments().orElse(new String[0]))
                        .containsAll(List.of("worker", of.address())))
            .findFirst()
            .orElseThrow();
    assertThat(worker.destroyForcibly()).isTrue();
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static String[] at(String... verb) {
    return at(started(), verb);
  }

  private static String[] at(ClusterStarter.Cluster place, String... verb) {
    var arguments = new ArrayList<>(List.of(verb));
    arguments.addAll(List.of("--on", place.address()));
    place
        .options()
        .forEach((key, value) -> arguments.addAll(List.of("--spark-conf", key + "=" + value)));
    return arguments.toArray(String[]::new);
  }

  private static int tranche(String... arguments) {
    var err = new StringWriter();
    int status = tranche(err, arguments);
    System.out.println(err);
    return status;
  }

  private static int tranche(StringWriter err, String... arguments) {
    return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), arguments);
  }

  private static void assertSameFiles(Path here, Path there, List<String> onlyThere)
      throws IOException {
    var names = new ArrayList<>(names(there));
    assertThat(names).containsAll(onlyThere);
    names.removeAll(onlyThere);
    assertThat(names).isNotEmpty().isEqualTo(names(here));
    for (String name : names) {
      assertThat(there.resolve(name)).as(name).hasSameBinaryContentAs(here.resolve(name));
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
