package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tranche cluster up` in a process of its own.
class ClusterUpTest {

  private static final long MAX_SECONDS = 120;

  @TempDir Path folder;

  @Test
  void aKilledLauncherLeavesNothingBehind() throws Exception {
    Process up = start();
    try (BufferedReader out = up.inputReader()) {
      assertThat(out.readLine()).startsWith("spark://127.0.0.1:");
      List<ProcessHandle> nodes = up.descendants().toList();
      assertThat(nodes).hasSizeGreaterThanOrEqualTo(2);
      awaitWorker();

      up.destroyForcibly();

      for (ProcessHandle node : nodes) {
        node.onExit().get(MAX_SECONDS, TimeUnit.SECONDS);
      }
      assertThat(leftovers()).isEmpty();
    } finally {
      up.destroyForcibly();
    }
  }

  @Test
  void anInterruptStopsAllOfIt() throws Exception {
    Process up = start();
    try (BufferedReader out = up.inputReader()) {
      assertThat(out.readLine()).startsWith("spark://127.0.0.1:");
      List<ProcessHandle> nodes = up.descendants().toList();
      awaitWorker();

      new ProcessBuilder("kill", "-INT", Long.toString(up.pid())).start().waitFor();

      assertThat(up.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(up.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
      for (ProcessHandle node : nodes) {
        node.onExit().get(MAX_SECONDS, TimeUnit.SECONDS);
      }
      assertThat(leftovers()).isEmpty();
    } finally {
      up.destroyForcibly();
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            // A shell that runs the tests in the background ignores interrupts, and so would we.
            "env",
            "--default-signal=INT",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "cluster",
            "up",
            "--workers",
            "1",
            "--memory",
            "512")
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /// A worker that is still starting would make the folder that its master has just deleted.
  private void awaitWorker() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    while (Files.notExists(leftovers().getFirst().resolve("work"))) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(50);
    }
  }

  private List<Path> leftovers() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("tranche-cluster"))
          .toList();
    }
  }
}
