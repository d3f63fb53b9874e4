package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every key of validation, checkpoints and logs changes what a run leaves in its folder.
class RunSwitchesTest {

  @TempDir Path folder;
  private Path config;

  @BeforeEach
  void writeASmallConfiguration() throws IOException {
    config =
        Files.writeString(
            folder.resolve("tiny.yml"),
            """
            tranche: 1
            data: {market: {instruments: 1, days: 10}}
            env: {concurrency: 2, parallel_mode: dummy}
            runtime: {threads: 1}
            network: {class: RecurrentNetwork, kwargs: {hidden: 4, output: 2}}
            trainer: {max_iterations: 4, episodes_per_iteration: 10, repeat: 1}
            validation: {every: 2, judge: false}
            """);
  }

  @Test
  void checkpointsAreNamedKeptAndPutWhereTheConfigurationSays() throws IOException {
    Path place = folder.resolve("else where");
    String checkpoint =
        "checkpoint={dirpath: '%s', filename: 'at-{iter:02d}', save_latest: copy, every_n_iters: 1, keep: 2}"
            .formatted(place);
    Run run = train("one", "validation.keep_best=0", checkpoint);

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(names(place)).containsExactly("at-03.ckpt", "at-04.ckpt", "latest.ckpt");
    assertThat(place.resolve("latest.ckpt")).isRegularFile();
    assertThat(Files.isSymbolicLink(place.resolve("latest.ckpt"))).isFalse();
    assertThat(folder.resolve("one/checkpoints")).isSymbolicLink();

    Run other = train("two", checkpoint);
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err())
        .contains("checkpoint.dirpath: expected a folder without checkpoints of another run");

    Run more =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder.resolve("one").toString(),
            "--resume",
            "--set",
            "validation.keep_best=0",
            "--set",
            checkpoint,
            "--set",
            "trainer.max_iterations=6");
    assertThat(more.status()).as(more.err()).isZero();
    assertThat(names(place)).containsExactly("at-05.ckpt", "at-06.ckpt", "latest.ckpt");
  }

  @Test
  void checkpointsAreSavedWhenTheConfigurationSays() throws IOException {
    assertThat(checkpoints("every", "checkpoint={every_n_iters: 3, save_latest: link}"))
        .containsExactly("003.ckpt", "004.ckpt", "best-002.ckpt", "latest.ckpt");
    assertThat(folder.resolve("every/checkpoints/latest.ckpt")).isSymbolicLink();
    assertThat(checkpoints("end", "checkpoint={every_n_iters: 3, save_on_fit_end: false}"))
        .containsExactly("003.ckpt", "best-002.ckpt", "latest.ckpt");
    assertThat(
            checkpoints(
                "time",
                "checkpoint={every_n_iters: null, time_interval: 0, save_latest: none}",
                "validation.keep_best=2"))
        .containsExactly(
            "001.ckpt", "002.ckpt", "003.ckpt", "004.ckpt", "best-002.ckpt", "best-004.ckpt");
    assertThat(checkpoints("hours", "checkpoint={every_n_iters: null, time_interval: 36000}"))
        .containsExactly("001.ckpt", "004.ckpt", "best-002.ckpt", "latest.ckpt");
    assertThat(checkpoints("value", "checkpoint.filename='{iter}-{val/ffr:.0f}'"))
        .contains("1-none.ckpt", "2-1.ckpt", "3-none.ckpt", "4-1.ckpt");
  }

  @Test
  void trainingStopsEarlyAsTheConfigurationSays() throws IOException {
    assertThat(iterations("all", "validation={every: 1}")).isEqualTo(4);
    assertThat(iterations("delta", "validation={every: 1, patience: 1, min_delta: 1e9}"))
        .isEqualTo(2);
    assertThat(iterations("patient", "validation={every: 1, patience: 2, min_delta: 1e9}"))
        .isEqualTo(3);
    assertThat(iterations("baseline", "validation={every: 1, patience: 2, baseline: 1e9}"))
        .isEqualTo(2);
    assertThat(
            iterations(
                "restored",
                "validation={every: 1, patience: 1, min_delta: 1e9, restore_best_weights: true}"))
        .isEqualTo(2);

    assertThat(weights("delta", "002")).isNotEqualTo(weights("delta", "001"));
    assertThat(weights("restored", "002")).isEqualTo(weights("restored", "001"));
  }

  @Test
  void theBestIsTheHighestOrTheLowestOfTheMonitor() throws IOException {
    String each = "validation={every: 1, monitor: val/reward, mode: %s}";

    checkpoints("high", each.formatted("max"));
    checkpoints("low", each.formatted("min"));
    List<Double> rewards = column("high", "val/reward");

    assertThat(column("low", "val/reward")).isEqualTo(rewards);
    assertThat(names(folder.resolve("high/checkpoints")))
        .contains("best-00%d.ckpt".formatted(1 + rewards.indexOf(Collections.max(rewards))));
    String lowest = "best-00%d.ckpt".formatted(1 + rewards.indexOf(Collections.min(rewards)));
    assertThat(names(folder.resolve("low/checkpoints"))).contains(lowest);
    Run tested =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder.resolve("low").toString(),
            "--no-training",
            "--run-backtest",
            "--weights",
            "best",
            "--set",
            each.formatted("min"));
    assertThat(tested.out())
        .contains("00%s (the best by val/reward)".formatted(lowest.replaceAll("best-00", "")));
  }

  @Test
  void logWritersWriteWhatTheirLevelLetsThrough() throws IOException {
    var requests = Collections.synchronizedList(new ArrayList<String>());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI().getPath());
          exchange.getRequestBody().readAllBytes();
          byte[] answer =
              "{\"experiment\":{\"experiment_id\":\"1\"},\"run\":{\"info\":{\"run_id\":\"r\"}}}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      Run run =
          train(
              "logged",
              """
              log_writers=[
              {class: ConsoleWriter, kwargs: {every: 5, prefix: here}},
              {class: CsvLogWriter, kwargs: {folder: table}},
              {class: JsonLinesWriter, kwargs: {file: all.jsonl, steps: true, level: debug}},
              {class: JsonLinesWriter, kwargs: {file: few.jsonl, steps: true, level: critical}},
              {class: TensorBoardWriter, kwargs: {folder: board, prefix: my/}},
              {class: MlflowWriter, kwargs: {server: 'http://localhost:%d'}}]"""
                  .formatted(server.getAddress().getPort())
                  .replace("\n", ""));

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out() + run.err()).contains("here").contains("pa ");
    } finally {
      server.stop(0);
    }
    Path logged = folder.resolve("logged");
    assertThat(logged.resolve("table/result.csv")).content().contains("pa");
    assertThat(logged.resolve("all.jsonl")).content().contains("policy_act");
    assertThat(logged.resolve("few.jsonl")).content().doesNotContain("\"pa\"");
    assertThat(logged.resolve("board")).isDirectoryContaining("glob:**/events.out.tfevents.*");
    assertThat(requests).contains("/api/2.0/mlflow/runs/create", "/api/2.0/mlflow/runs/log-batch");
  }

  private Run train(String name, String... settings) {
    var arguments = new ArrayList<>(List.of("train", config.toString()));
    arguments.addAll(List.of("--out", folder.resolve(name).toString()));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return Run.of(arguments.toArray(String[]::new));
  }

  private List<String> checkpoints(String name, String... settings) throws IOException {
    Run run = train(name, settings);
    assertThat(run.status()).as(run.err()).isZero();
    return names(folder.resolve(name).resolve("checkpoints"));
  }

  private static List<String> names(Path place) throws IOException {
    try (var files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private int iterations(String name, String... settings) throws IOException {
    checkpoints(name, settings);
    return Files.readAllLines(folder.resolve(name).resolve("metrics.jsonl")).size();
  }

  private List<Float> weights(String name, String checkpoint) {
    Path file = folder.resolve(name).resolve("checkpoints").resolve(checkpoint + ".ckpt");
    var values = new ArrayList<Float>();
    CheckpointFile.policyState(file)
        .tensors()
        .values()
        .forEach(
            tensor -> {
              for (float value : tensor.toArray()) {
                values.add(value);
              }
            });
    return values;
  }

  private List<Double> column(String name, String metric) throws IOException {
    List<String> rows = Files.readAllLines(folder.resolve(name).resolve("validation_result.csv"));
    int column = List.of(rows.getFirst().split(",", -1)).indexOf(metric);
    return rows.stream().skip(1).map(row -> Double.valueOf(row.split(",", -1)[column])).toList();
  }
}
