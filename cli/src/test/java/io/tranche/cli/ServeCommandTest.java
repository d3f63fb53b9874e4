package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.env.RandomTree;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.Lineage;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.tensor.RnnType;
import io.tranche.testkit.Shared;
import io.tranche.testkit.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {

  private static final List<String> COLUMNS = List.of("$close", "$volume");

  @TempDir Path folder;
  private Path bundle = Path.of("");

  @BeforeEach
  void write() throws IOException {
    bundle = Files.createDirectory(folder.resolve("models")).resolve("demo@1.tranche");
    var agent =
        ActorCritic.create(
            Recurrent.factory(new RecurrentConfig(4, 3, RnnType.GRU, 1), COLUMNS.size()),
            5,
            RandomTree.generator(RandomTree.root(1, "weights")));
    var spec =
        ModelSpec.of(
            ConfigFiles.parse("test", "{class: RecurrentNetwork, kwargs: {hidden: 4, output: 3}}"),
            ConfigFiles.parse("test", "{class: Ppo, kwargs: {learning_rate: 0.001}}"),
            ConfigFiles.parse("test", "{class: CategoricalInterpreter, kwargs: {shares: 4}}"),
            new GivenFeatures(new FeatureColumns(COLUMNS, List.of("$close_1", "$volume_1"))));
    var source = new Lineage.Source("test", "ab".repeat(32), null);
    BundleFile.write(
        bundle,
        new ModelBundle(
            spec,
            List.of(agent.weights().stateDict()),
            new Lineage(null, null, null, null, null, List.of(source), null, null),
            Map.of()));
  }

  private Run serve(String... more) {
    var arguments =
        new ArrayList<>(List.of("serve", bundle.toString(), "--set", "engine.limits=none"));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  @Test
  void wrongConfigurationsEndWith2() {
    for (Run run :
        List.of(
            serve("--port", "70000"),
            serve("--port", "x"),
            serve("--bind", "0.0.0.0"),
            serve("--token-file", folder.resolve("none").toString()),
            serve("--config", folder.resolve("none.yml").toString()),
            serve("--set", "http.prot=1"),
            serve("--set", "engine.workers=0"),
            Run.of("serve"))) {
      assertThat(run.status()).as(run.err()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).doesNotContain("\tat ");
    }
  }

  @Test
  void doesNotStartWithoutLimitsUnlessToldSo() {
    Run run = Run.of("serve", bundle.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "engine.limits: expected limits, or 'none' for a service without limits, was missing");
    assertThat(Run.of("serve", bundle.toString(), "--set", "engine.limits=maybe").status())
        .isEqualTo(2);
  }

  @Test
  void wrongBundlesEndWith4() throws IOException {
    Path damaged = Files.writeString(folder.resolve("models/x@1.tranche"), "no bundle");

    assertThat(Run.of("serve", folder.resolve("none.tranche").toString()).status()).isEqualTo(4);
    assertThat(Run.of("serve", damaged.toString()).status()).isEqualTo(4);
    assertThat(Run.of("serve", folder.resolve("models").toString()).status()).isEqualTo(4);
    Run run = serve(damaged.toString(), "--port", "0", "--journal", folder + "/journal");
    assertThat(run.status()).isEqualTo(4);
    assertThat(run.err()).contains("x@1");
  }

  private Process start(Path errors, String... more) throws IOException {
    var command = new ArrayList<>(TestProcess.command("cli", Main.class));
    command.add(1, "--add-modules=jdk.incubator.vector");
    command.addAll(
        List.of(
            "serve",
            bundle.toString(),
            "--set",
            "engine.limits=none",
            "--port",
            "0",
            "--journal",
            folder.resolve("journal").toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .directory(Shared.root().toFile())
        .redirectError(errors.toFile())
        .start();
  }

  /// Returns the address that a service prints.
  private static URI address(BufferedReader out, Path errors) throws IOException {
    String line = String.valueOf(out.readLine());
    var address = Pattern.compile("listening on (http://127\\.0\\.0\\.1:\\d+)").matcher(line);
    assertThat(address.matches()).as(line + Files.readString(errors)).isTrue();
    return URI.create(address.group(1));
  }

  @Test
  void servesUntilItIsToldToStop() throws Exception {
    Path errors = folder.resolve("log.jsonl");
    Process process = start(errors);
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        var http = HttpClient.newHttpClient()) {
      URI address = address(out, errors);
      var ready =
          http.send(
              HttpRequest.newBuilder(address.resolve("/ready")).build(), BodyHandlers.ofString());
      assertThat(ready.statusCode()).isEqualTo(200);

      process.destroy(); // SIGTERM

      assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(Files.readAllLines(errors))
          // SLF4J is on the class path of tests only.
          .filteredOn(each -> !each.startsWith("SLF4J"))
          .allMatch(each -> each.startsWith("{\"time\":") || each.startsWith("WARNING"))
          .anyMatch(each -> each.contains("\"event\":\"listening\""))
          .anyMatch(each -> each.contains("\"event\":\"stopped\""));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aRequestUnderWayIsFinishedAfterSigterm() throws Exception {
    Path errors = folder.resolve("log.jsonl");
    Process process =
        start(
            errors, "--set", "http.limits.request_seconds=300", "--set", "http.drain_seconds=300");
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      URI address = address(out, errors);
      String body =
          """
          {"id":"x","instrument":"A","date":"2026-03-03","side":"sell","amount":1000,
           "start":"2026-03-03T09:30:00","end":"2026-03-03T14:59:00"}""";
      String request =
          "POST /v1/orders HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
              + "content-length: %d\r\n\r\n%s".formatted(body.length(), body);
      try (var socket = new Socket(address.getHost(), address.getPort())) {
        byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
        socket.getOutputStream().write(bytes, 0, bytes.length - 10);
        await(address, "tranche_http_in_flight 2"); // this one, and who asks
        process.destroy(); // SIGTERM
        for (int i = 0; i < 6_000 && !Files.readString(errors).contains("draining"); i++) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
        socket.getOutputStream().write(bytes, bytes.length - 10, 10);
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(answer).startsWith("HTTP/1.1 200").contains("\"status\":\"working\"");
      }
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    // What was answered is there for the next one.
    Process again = start(errors);
    try (BufferedReader out = again.inputReader(StandardCharsets.UTF_8)) {
      await(address(out, errors), "tranche_orders_held 1");
    } finally {
      again.destroyForcibly();
    }
  }

  private static void await(URI address, String figure) throws Exception {
    var request = HttpRequest.newBuilder(address.resolve("/metrics")).build();
    String figures = "";
    for (int i = 0; i < 3_000 && !figures.contains(figure + "\n"); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
      // A client each: JDK-8357639 loses kept connections now and then.
      try (var http = HttpClient.newHttpClient()) {
        figures = http.send(request, BodyHandlers.ofString()).body();
      }
    }
    assertThat(figures).contains(figure + "\n");
  }
}
