package io.tranche.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Real Python packages to test our files and protocols with, installed once under `target/`.
public final class Python {

  private Python() {}

  /// Returns an interpreter that has the packages. If there is none, skips the test with a message,
  /// or fails it if the environment variable `CI` is set.
  ///
  /// @param packages as `pip install` takes them
  public static Path withOrSkip(String... packages) {
    String name = String.join("-", packages).replaceAll("[^A-Za-z0-9.]+", "-");
    Path folder = Shared.root().resolve("target/python").resolve(name);
    Path interpreter = folder.resolve("bin/python");
    Path ready = folder.resolve("ready");
    if (!Files.exists(ready)) {
      String failure = installOnce(folder, interpreter, List.of(packages));
      Skip.unlessInstalled(failure.isEmpty(), failure);
    }
    return interpreter;
  }

  /// Returns an interpreter that has Qlib and all it needs, installed once for every test.
  public static Path withQlibOrSkip() {
    return withOrSkip(
        "pyqlib==0.9.7",
        "numpy==1.26.4",
        "pandas==1.5.3",
        "gym==0.26.2",
        "tianshou==0.4.10",
        "torch==2.5.1");
  }

  /// Another process may want the same packages at the same time.
  private static String installOnce(Path folder, Path interpreter, List<String> packages) {
    try {
      Files.createDirectories(folder);
      try (var lock =
              FileChannel.open(
                  folder.resolve("install.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = lock.lock()) {
        return Files.exists(folder.resolve("ready")) ? "" : install(folder, interpreter, packages);
      }
    } catch (IOException e) {
      return "Python packages cannot be installed: " + e.getMessage();
    }
  }

  private static String install(Path folder, Path interpreter, List<String> packages) {
    try {
      Path log = folder.resolve("install.log");
      var install = new ArrayList<>(List.of(interpreter.toString(), "-m", "pip", "install", "-q"));
      install.addAll(packages);
      if (Command.succeeds(log, List.of("python3", "-m", "venv", folder.toString()))
          && Command.downloads(log, install)) {
        Files.createFile(folder.resolve("ready"));
        return "";
      }
      return "Python packages %s cannot be installed, see %s".formatted(packages, log);
    } catch (IOException e) {
      return "Python is not installed: " + e.getMessage();
    }
  }

  /// Runs a program text and returns what it prints.
  ///
  /// @throws AssertionError with its output if it fails
  public static String run(Path interpreter, String program, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(interpreter.toString(), "-c", program));
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile("tranche-python-", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
              .start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(output + Files.readString(errors));
      }
      return output;
    } finally {
      Files.delete(errors);
    }
  }
}
