package io.tranche.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Commands that install what tests need.
final class Command {

  private static final long MAX_MINUTES = 30;
  private static final int ATTEMPTS = 3;

  private Command() {}

  /// Runs a command that needs the network. If the environment variable `CI` is set, where a
  /// failure would fail the test, the command is retried.
  static boolean downloads(Path log, List<String> command) throws IOException {
    int attempts = System.getenv("CI") == null ? 1 : ATTEMPTS;
    for (int attempt = 1; attempt < attempts; attempt++) {
      if (succeeds(log, command)) {
        return true;
      }
    }
    return succeeds(log, command);
  }

  /// Runs a command, appends its output to `log`, and returns whether it succeeded.
  static boolean succeeds(Path log, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      return process.waitFor(MAX_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.destroyForcibly();
    }
  }
}
