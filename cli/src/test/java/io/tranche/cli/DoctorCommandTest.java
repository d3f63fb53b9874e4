package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tranche.analysis.doctor.Doctor;
import io.tranche.config.ConfigFiles;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each case breaks a healthy run, or what a healthy service says, in one place.
class DoctorCommandTest {

  @TempDir static Path shared;
  private static Path healthy;

  @TempDir Path folder;

  @BeforeAll
  static void trainAHealthyRun() throws IOException {
    Path config =
        Files.writeString(
            shared.resolve("run.yml"),
            """
            tranche: 1
            data: {market: {instruments: 1, days: 60}}
            env: {concurrency: 20}
            runtime: {threads: 1}
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            policy: {kwargs: {learning_rate: 0.02}}
            trainer: {max_iterations: 8, episodes_per_iteration: 60, repeat: 2, start_near_twap: false}
            validation: {every: 2, patience: 3, judge: false}
            """);
    healthy = shared.resolve("healthy");
    Run run = Run.of("train", config.toString(), "--out", healthy.toString());
    assertThat(run.status()).as(run.err()).isZero();
    // So short a training leaves a policy that always acts the same, which is found.
    assertFinds(
        healthy, "a constant policy", "the last 3 validations filled at exactly the same prices");
    int[] line = {0};
    edit(
        healthy.resolve("metrics.jsonl"),
        text ->
            text.lines()
                .map(
                    each ->
                        each.replaceAll(
                            "\"val/trade_price\":[.0-9]+", "\"val/trade_price\":" + ++line[0]))
                .reduce("", (all, each) -> all + each + "\n"));
  }

  @Test
  @Tag("full")
  void findsNothingInTheUsualRun() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("usual.yml"),
            "tranche: 1\ndata: {market: {}}\ntrainer: {max_iterations: 60}\n");
    Run run = Run.of("train", config.toString(), "--out", folder.resolve("usual").toString());
    assertThat(run.status()).as(run.err()).isZero();

    assertThat(Run.of("doctor", folder.resolve("usual").toString()).out())
        .isEqualTo("nothing found\n");
  }

  /// Numbers as actions differ from validation to validation, also after so short a training.
  @Test
  void findsNothingInARunThatNobodyTouched() {
    Run trained =
        train(
            "untouched",
            "action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 3}}");
    assertThat(trained.status()).as(trained.err()).isZero();

    Run run = Run.of("doctor", folder.resolve("untouched").toString());

    assertThat(run.out()).isEqualTo("nothing found\n");
    assertThat(run.status()).as(run.err()).isZero();
  }

  @Test
  void findsNothingInAHealthyRun() {
    Run run = Run.of("doctor", healthy.toString());

    assertThat(run.out()).isEqualTo("nothing found\n");
    assertThat(run.status()).as(run.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          early stopping without effect      | config.yml    | patience: 3               | patience: 7                      | a patience of 7, and 4 validations in 8 iterations
          a monitor that never appears       | config.yml    | monitor: null             | monitor: val/paa                 | validations are compared by val/paa
          odd validation metrics             | metrics.jsonl | "val/pa":[-.0-9E]+        | "val/pa":"NaN"                   | val/pa is NaN in iteration 2
          odd validation metrics             | metrics.jsonl | "val/ffr":[-.0-9E]+       | "val/ffr":0.5                    | only 50 % of the volume
          metrics are missing                | metrics.jsonl | "pa":                     | "own_pa":                        | no iteration has [pa]
          an odd price advantage             | metrics.jsonl | "val/pa":[-.0-9E]+        | "val/pa":312.5                   | val/pa is 313 basis points
          a constant policy                  | metrics.jsonl | "val/trade_price":[.0-9]+ | "val/trade_price":35.5           | the last 3 validations filled at exactly the same prices
          an overfitting gap                 | metrics.jsonl | "pa":[-.0-9E]+            | "pa":50.0                        | 50.0 basis points in training
          nan rewards                        | metrics.jsonl | "reward":[-.0-9E]+        | "reward":"NaN"                   | reward is no number in 8 of 8 iterations
          volumes out of bounds              | metrics.jsonl | "ffr":[.0-9]+             | "ffr":1.25                       | ffr is 1.25
          a heap that is too small           | process.jsonl | "gc_seconds":[.0-9]+      | "gc_seconds":GROWS               | % of the time goes to collections
          too many threads                   | config.yml    | threads: 1                | threads: 4000                    | 4000 threads on
          a backtest unlike its training     | config.yml    | costs: none               | costs: us_stocks                 | config.yml and the checkpoints differ in [costs]
          observations of another shape      | config.yml    | mirror: true              | mirror: false                    | config.yml shows the policy something else
          """)
  void findsWhatWasBroken(String name, String file, String from, String to, String symptom)
      throws IOException {
    Path run = copy();
    int[] line = {0};
    edit(
        run.resolve(file),
        text ->
            text.lines()
                .map(each -> each.replaceAll(from, to.replace("GROWS", (100.0 * line[0]++) + "")))
                .reduce("", (all, each) -> all + each + "\n"));

    assertFinds(run, name, symptom);
  }

  @Test
  void findsAnIterationThatTakesLongerAndLonger() throws IOException {
    Path run = copy();
    int[] line = {0};
    edit(
        run.resolve("process.jsonl"),
        text ->
            text.lines()
                .map(
                    each ->
                        each.replaceAll(
                            "\"uptime_seconds\":[.0-9]+",
                            "\"uptime_seconds\":" + Math.pow(3, line[0]++)))
                .reduce(
                    "",
                    (all, each) ->
                        all + each.replaceAll("\"gc_s[^,]*,", "\"gc_seconds\":0.0,") + "\n"));
    String process = Files.readString(run.resolve("process.jsonl"));
    Files.writeString(
        run.resolve("process.jsonl"),
        process + process.replace("\"uptime_seconds\":", "\"uptime_seconds\":9"));

    assertFinds(run, "training stalls", "an iteration took");
  }

  @Test
  void findsARunThatWasKilled() throws IOException {
    Path run = copy();
    edit(
        run.resolve("config.yml"), text -> text.replace("max_iterations: 8", "max_iterations: 99"));
    edit(
        run.resolve("process.jsonl"), text -> text.replaceAll("\"time\":\\d+", "\"time\":1000000"));
    for (String last : List.of("008", "007", "latest")) {
      Files.deleteIfExists(run.resolve("checkpoints/" + last + ".ckpt"));
    }
    Files.deleteIfExists(run.resolve("checkpoints/best-008.ckpt"));

    assertFinds(run, "training stalls", "no iteration for ");
  }

  @Test
  void findsARunThatFailedInItsFirstIteration() throws IOException {
    Path run = copy();
    Files.delete(run.resolve("metrics.jsonl"));
    assertThat(Run.of("doctor", run.toString()).out()).isEqualTo("nothing found\n");
    Files.setLastModifiedTime(run.resolve("config.yml"), FileTime.fromMillis(0));

    assertFinds(run, "training stalls", "no iteration was finished in ");
  }

  @Test
  void findsCheckpointsThatAreNotThere() throws IOException {
    Path run = copy();
    try (var files = Files.list(run.resolve("checkpoints"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }

    assertFinds(run, "checkpoints are not saved", "8 iterations and no checkpoint in ");
  }

  @Test
  void findsBestWeightsThatAreLost() {
    Run trained =
        train(
            "lost",
            "validation={every: 1, patience: 1, min_delta: 1e9, keep_best: 0, judge: false}");
    assertThat(trained.status()).as(trained.err()).isZero();

    assertFinds(
        folder.resolve("lost"), "the best weights are not restored", "training stopped early");
  }

  @Test
  void findsALevelThatHidesMetrics() {
    Run trained =
        train(
            "hidden",
            "log_writers=[{class: JsonLinesWriter, kwargs: {level: critical}}]",
            "validation={every: 2, patience: 3, judge: false}");
    assertThat(trained.status()).as(trained.err()).isZero();

    assertFinds(
        folder.resolve("hidden"),
        "a log level hides metrics",
        "no iteration has [reward, pa, ffr]");
  }

  @Test
  void findsTooFewDays() {
    Run trained = train("few", "data={market: {instruments: 1, days: 20}}");
    assertThat(trained.status()).as(trained.err()).isZero();

    assertFinds(folder.resolve("few"), "too few days", "4 days in valid");
  }

  @Test
  void findsWeightsOfAnotherNetwork() throws IOException {
    Path run = copy();
    Run other =
        train("other", "network={class: Mlp}", "state_interpreter={class: CurrentStepInterpreter}");
    assertThat(other.status()).as(other.err()).isZero();
    edit(
        run.resolve("config.yml"),
        text ->
            text.replace(
                "learning_rate: 0.02",
                "learning_rate: 0.02\n    weight_file: '%s'"
                    .formatted(folder.resolve("other/checkpoints/latest.ckpt"))));

    assertFinds(run, "weight names do not match", "tensors such as ");
  }

  @Test
  void theMachineIsLookedAtToo() {
    assertThat(Run.of("doctor").status()).isZero();
    assertThat(Doctor.ofMachine(256L << 20, 1L << 30))
        .extracting(finding -> finding.name())
        .containsExactly("a heap that is too small", "a disk that is nearly full");
  }

  @Test
  void aServiceIsAskedForItsMetrics() throws IOException, InterruptedException {
    Path bundle = folder.resolve("demo@1.tranche");
    Run export = Run.of("export", healthy.toString(), "--out", bundle.toString());
    assertThat(export.status()).as(export.err()).isZero();
    String metrics;
    var node =
        ConfigFiles.parse(
            "test",
            "{journal: journal, http: {port: 0}, engine: {limits: none, needs_earlier_days: false}}");
    try (var server =
            DecisionServer.start(DecisionServerConfig.of(List.of(bundle), node, folder), _ -> {});
        var client = HttpClient.newHttpClient()) {
      String url = server.http().url();
      Run run = Run.of("doctor", url);
      assertThat(run.out()).isEqualTo("nothing found\n");
      assertThat(run.status()).isZero();
      metrics =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(url + "/metrics")).build(),
                  BodyHandlers.ofString())
              .body();
    }
    assertThat(metrics).contains("tranche_process_cpu_seconds_total ", "tranche_jvm_processors ");
    String slow = "_bucket{le=\"0.01\"} 5\n%1$s_bucket{le=\"+Inf\"} 1000\n%1$s_count 1000\n";
    requireFound(
        metrics,
        "tranche_decision_seconds" + slow.formatted("tranche_decision_seconds"),
        "high online latency");
    requireFound(
        metrics,
        "tranche_journal_force_seconds" + slow.formatted("tranche_journal_force_seconds"),
        "a disk that slows the journal");
    requireFound(metrics, "tranche_disk_free_bytes 5e7\n", "a disk that is nearly full");
    requireFound(
        metrics,
        "tranche_fallbacks_total{reason=\"late\"} 50\ntranche_decisions_total{source=\"model\"} 90\n",
        "decisions by twap instead of the model");
    requireFound(metrics, "tranche_drift_alarms_total{model=\"a\"} 3\n", "observations that drift");
    requireFound(
        metrics,
        "tranche_jvm_heap_bytes 980\ntranche_jvm_heap_max_bytes 1000\n",
        "a heap that is too small");
    requireFound(metrics, "tranche_jvm_threads 5000\n", "too many threads");
  }

  /// Serves what the healthy service said, with `other` values of some metrics.
  private static void requireFound(String metrics, String other, String name) throws IOException {
    List<String> replaced =
        other
            .lines()
            .map(line -> line.replaceAll("(_bucket|_count)?[{ ].*", ""))
            .distinct()
            .toList();
    String text =
        metrics
                .lines()
                .filter(line -> replaced.stream().noneMatch(each -> line.startsWith(each)))
                .reduce("", (all, each) -> all + each + "\n")
            + other;
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      assertFound(
          Run.of("doctor", "http://localhost:" + server.getAddress().getPort() + "/"), name);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void saysWhatIsNoRunAndNoService() {
    assertThat(Run.of("doctor", folder.toString()).err())
        .contains("RUN: expected a run directory of tranche train");
    assertThat(Run.of("doctor", "http://localhost:1").status()).isEqualTo(3);
    assertThat(Run.of("doctor", folder.toString(), "--token-file", "t").status()).isEqualTo(2);
  }

  private Run train(String name, String... settings) {
    var arguments = new ArrayList<>(List.of("train", shared.resolve("run.yml").toString()));
    arguments.addAll(List.of("--out", folder.resolve(name).toString()));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return Run.of(arguments.toArray(String[]::new));
  }

  private static void assertFinds(Path run, String name, String symptom) {
    Run found = Run.of("doctor", run.toString());
    assertFound(found, name);
    assertThat(found.out()).contains("symptom: ").contains(symptom);
  }

  private static void assertFound(Run found, String name) {
    assertThat(found.out().lines().filter(line -> !line.startsWith("  ")))
        .as(found.out() + found.err())
        .contains(name);
    assertThat(found.status()).isEqualTo(1);
    assertThat(found.out()).contains("cause:   ", "cure:    ");
    assertDocumented(name);
  }

  private Path copy() throws IOException {
    Path copy = folder.resolve("copy");
    try (var files = Files.walk(healthy)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(healthy.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
    return copy;
  }

  private static void edit(Path file, UnaryOperator<String> change) {
    try {
      Files.writeString(file, change.apply(Files.readString(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
