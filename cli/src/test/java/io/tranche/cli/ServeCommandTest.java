package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.env.RandomTree;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.learn.Ppo;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.Lineage;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.tensor.RnnType;
import io.tranche.testkit.Shared;
import io.tranche.testkit.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
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
    var model =
        Ppo.model(Recurrent.factory(new RecurrentConfig(4, 3, RnnType.GRU, 1), COLUMNS.size()), 5);
    model.initialise(RandomTree.generator(RandomTree.root(1, "weights")));
    var spec =
        new ModelSpec(
            false,
            ConfigFiles.parse("test", "{class: RecurrentNetwork, kwargs: {hidden: 4, output: 3}}"),
            ConfigFiles.parse("test", "{class: Ppo, kwargs: {learning_rate: 0.001}}"),
            ConfigFiles.parse("test", "{class: CategoricalInterpreter, kwargs: {shares: 4}}"),
            8,
            30,
            false,
            Session.CHINA_STOCKS,
            Frequency.MINUTE,
            new GivenFeatures(new FeatureColumns(COLUMNS, List.of("$close_1", "$volume_1"))),
            ModelSpec.Combination.MEAN);
    var source = new Lineage.Source("test", "ab".repeat(32), null);
    BundleFile.write(
        bundle,
        new ModelBundle(
            spec,
            List.of(PolicyWeights.ppo(model.weights()).stateDict()),
            new Lineage(null, null, null, null, null, List.of(source), null, null),
            Map.of()));
  }

  private Run serve(String... more) {
    var arguments = new ArrayList<>(List.of("serve", bundle.toString()));
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
  void wrongBundlesEndWith4() throws IOException {
    Path damaged = Files.writeString(folder.resolve("models/x@1.tranche"), "no bundle");

    assertThat(Run.of("serve", folder.resolve("none.tranche").toString()).status()).isEqualTo(4);
    assertThat(Run.of("serve", damaged.toString()).status()).isEqualTo(4);
    assertThat(Run.of("serve", folder.resolve("models").toString()).status()).isEqualTo(4);
    Run run = serve(damaged.toString(), "--port", "0", "--journal", folder + "/journal");
    assertThat(run.status()).isEqualTo(4);
    assertThat(run.err()).contains("x@1");
  }

  @Test
  void servesUntilItIsToldToStop() throws Exception {
    var command = new ArrayList<>(TestProcess.command("cli", Main.class));
    command.add(1, "--add-modules=jdk.incubator.vector");
    command.addAll(
        List.of(
            "serve",
            bundle.toString(),
            "--port",
            "0",
            "--journal",
            folder.resolve("journal").toString()));
    Path errors = folder.resolve("log.jsonl");
    Process process =
        new ProcessBuilder(command)
            .directory(Shared.root().toFile())
            .redirectError(errors.toFile())
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        var http = HttpClient.newHttpClient()) {
      String line = String.valueOf(out.readLine());
      var address = Pattern.compile("listening on (http://127\\.0\\.0\\.1:\\d+)").matcher(line);
      assertThat(address.matches()).as(line + Files.readString(errors)).isTrue();
      var ready =
          http.send(
              HttpRequest.newBuilder(URI.create(address.group(1) + "/ready")).build(),
              BodyHandlers.ofString());
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
}
