package io.tranche.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Browser;
import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The dashboard beside a training run, each in a process of its own, with a reader in a browser.
class LiveDashboardTest {

  private static final String TOKEN = "0123456789abcdef-dashboard";

  @TempDir Path folder;

  @Test
  void aReaderFollowsStopsAndResumesARun() throws Exception {
    Path browser = Browser.orSkip();
    Path python = Python.withOrSkip("playwright");
    SmallTraining.write(folder);
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    Path run = folder.resolve("my runs/one two");
    Path pictures = Files.createDirectories(Shared.root().resolve("cli/target/screenshots"));

    Process training =
        start(
            "train",
            folder.resolve("small.yml").toString(),
            "--out",
            run.toString(),
            "--set",
            "trainer.max_iterations=100000",
            "--set",
            "trainer.episodes_per_iteration=100",
            "--set",
            "trainer.repeat=4");
    while (!Files.exists(run.resolve("metrics.jsonl"))) {
      assertThat(training.waitFor(50, TimeUnit.MILLISECONDS)).as(log()).isFalse();
    }
    Process dashboard =
        start(
            "dashboard",
            "--port",
            "0",
            "--runs",
            folder.resolve("my runs").toString(),
            "--token-file",
            token.toString());
    try (var out = new BufferedReader(new InputStreamReader(dashboard.getInputStream(), UTF_8))) {
      String url = requireNonNull(out.readLine(), log()).replace("dashboard: ", "");

      String said =
          Python.run(
              python,
              program(),
              browser.toString(),
              url,
              run.toString(),
              TOKEN,
              pictures.resolve("live.png").toString());

      assertThat(said).contains("all is well");
      assertThat(training.waitFor()).as(log()).isEqualTo(130);
      assertThat(run.resolve("resume.log")).content().contains("continue with --resume");
    } finally {
      dashboard.descendants().forEach(ProcessHandle::destroyForcibly);
      dashboard.destroyForcibly().waitFor();
      training.destroyForcibly().waitFor();
    }
  }

  private Process start(String... arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                Main.class.getName()));
    command.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("log.txt").toFile()));
    if (arguments[0].equals("train")) {
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log.txt"));
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String program() throws IOException {
    try (InputStream in = LiveDashboardTest.class.getResourceAsStream("live_dashboard.py")) {
      return new String(requireNonNull(in).readAllBytes(), UTF_8);
    }
  }
}
