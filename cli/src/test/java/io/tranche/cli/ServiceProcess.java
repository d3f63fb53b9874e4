package io.tranche.cli;

import io.tranche.testkit.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// `tranche serve` in a process of its own.
record ServiceProcess(Process process, int port) implements AutoCloseable {

  private static final Pattern ADDRESS =
      Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");

  /// Returns a service that is ready, at any port that is free.
  static ServiceProcess start(Path folder, Path bundle) {
    var command = new ArrayList<>(TestProcess.command("cli", Main.class));
    command.add(1, "--add-modules=jdk.incubator.vector");
    command.addAll(
        List.of("serve", bundle.toString(), "--port", "0", "--set", "engine.limits=none"));
    Path errors = folder.resolve("service.log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(errors.toFile())
              .start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String line = String.valueOf(out.readLine());
      var address = ADDRESS.matcher(line);
      if (!address.matches()) {
        throw new AssertionError(line + Files.readString(errors));
      }
      return new ServiceProcess(process, Integer.parseInt(address.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Kills it, without a chance to finish anything.
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
