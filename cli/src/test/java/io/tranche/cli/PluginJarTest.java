package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The parts of `examples`, as a jar that no class path has: trained, exported, decided with.
class PluginJarTest {

  private static final String COMPONENTS = "META-INF/services/io.tranche.config.ComponentProvider";
  private static final String FEATURES =
      "META-INF/services/io.tranche.market.feature.provider.FeatureProvider";

  @TempDir Path folder;
  private Path jar;

  @BeforeEach
  void makeTheJar() throws IOException {
    jar =
        jar(
            "my plug-ins.jar",
            Map.of(
                COMPONENTS,
                "io.tranche.examples.java.OwnProvider\nio.tranche.examples.network.GlanceProvider",
                FEATURES,
                "io.tranche.examples.java.RangePlace"),
            "from-java",
            "custom-network");
  }

  /// Compiles the sources of examples.
  private Path jar(String name, Map<String, String> services, String... examples)
      throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes of " + name));
    var arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString()));
    for (String example : examples) {
      Path sources = Shared.root().resolve("examples/%s/src/main/java".formatted(example));
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(each -> each.toString().endsWith(".java"))
            .forEach(each -> arguments.add(each.toString()));
      }
    }
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(status).isZero();
    Path made = folder.resolve(name);
    try (var out = new JarOutputStream(Files.newOutputStream(made));
        Stream<Path> files = Files.walk(classes)) {
      for (var service : new TreeMap<>(services).entrySet()) {
        out.putNextEntry(new JarEntry(service.getKey()));
        out.write(service.getValue().getBytes(UTF_8));
      }
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return made;
  }

  private Run run(String... arguments) {
    Run run = Run.of(arguments);
    assertThat(run.status()).as(run.err()).isZero();
    return run;
  }

  private Path config(String text) throws IOException {
    return Files.writeString(
        folder.resolve("own.yml"),
        """
        tranche: 1
        data: {market: {instruments: 2, days: 20}, features: {providers: [price_moves, range_place]}}
        reward: {class: Early}
        metrics: [{class: Left}]
        callbacks: [{class: Hooks}]
        log_writers: [{class: Tally}]
        trainer: {max_iterations: 2, episodes_per_iteration: 10, repeat: 2}
        validation: {every: 1, judge: false}
        """
            + text);
  }

  /// A feature, a layer, an algorithm and what watches training, from the jar to decisions.
  @Test
  void whatDecidesIsExportedAndNeedsThePlugInAgain() throws IOException {
    Path config =
        config(
            """
            network: {class: Layers, kwargs: {hidden: 8, output: 8, layers: [dense: 8, {class: Gain}, gru: 8]}}
            policy: {class: LoggingPpo, kwargs: {rate: 0.01}}
            """);
    String out = folder.resolve("run").toString();
    String model = folder.resolve("model.tranche").toString();
    String plugIn = jar.toString();

    run("train", config.toString(), "--out", out, "--plugins", plugIn);
    run("export", out, "--out", model, "--plugins", plugIn);
    Run decided =
        run(
            "decide",
            model,
            "--bars",
            out + "/data/bars",
            "--orders",
            out + "/data/orders/test",
            "--plugins",
            plugIn);
    Run without =
        Run.of(
            "decide", model, "--bars", out + "/data/bars", "--orders", out + "/data/orders/test");

    assertThat(folder.resolve("run/metrics.jsonl"))
        .content()
        .contains("\"left\"", "\"passes\"", "\"hooks\"");
    assertThat(decided.out().lines().count()).isGreaterThan(10);
    assertThat(without.status()).isEqualTo(2);
    assertThat(without.err())
        .contains("range_place")
        .contains("or one of a plug-in that is loaded with --plugins");
    assertDocumented("or one of a plug-in that is loaded with --plugins");
  }

  /// An observation with its network, a simulator and actions: what only a simulator can show is
  /// trained and judged, and the export says why it stops.
  @Test
  void whatOnlyASimulatorShowsIsTrainedAndJudged() throws IOException {
    Path config =
        config(
            """
            simulator: {class: FirstTick}
            state_interpreter: {class: Place}
            action_interpreter: {class: Thirds}
            network: {class: Small}
            aux_info: {class: Steps}
            """);
    String out = folder.resolve("run").toString();

    run("train", config.toString(), "--out", out, "--plugins", jar.toString());
    Run judged = run("judge", out, "--plugins", jar.toString());
    Run exported =
        Run.of(
            "export",
            out,
            "--out",
            folder.resolve("model.tranche").toString(),
            "--plugins",
            jar.toString());
    Run without = Run.of("judge", out);

    assertThat(judged.out()).contains("TWAP");
    assertThat(exported.status()).isEqualTo(2);
    assertThat(exported.err()).contains("expected ");
    assertThat(without.status()).isEqualTo(2);
    assertThat(without.err()).contains("loaded with --plugins");
  }

  @Test
  void aStrategyWorksTheOrdersOfABacktest() {
    Run listed = run("components", "AtOnce", "--plugins", jar.toString());

    assertThat(listed.out()).startsWith("strategies").contains("AtOnce");
  }

  @Test
  void aPlugInThatCannotBeUsedIsNamedWithWhatToDo() throws IOException {
    Path missing = jar("missing.jar", Map.of(FEATURES, "mine.Missing"));
    Path config = config("");

    Run noClass =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder.resolve("no").toString(),
            "--plugins",
            missing.toString());

    assertThat(noClass.status()).isEqualTo(2);
    assertThat(noClass.err())
        .contains("plug-in: expected the class that META-INF/services names")
        .contains("mine.Missing");
    assertDocumented("expected the class that META-INF/services names");
  }
}
