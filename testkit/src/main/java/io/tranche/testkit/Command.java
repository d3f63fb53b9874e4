package io.tranche.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Commands that install what tests need.
final class Command {

  private static final long MAX_MINUTES = 15;

  private Command() {}

  /// Runs a command to its end, what it says appended to `log`, and returns whether it succeeded.
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
