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

  private static final String INTERPRETER = "bin/python";

  private Python() {}

  /// Returns an interpreter that has the packages. If there is none, skips the test with a message,
  /// or fails it if the environment variable `CI` is set.
  ///
  /// @param packages as `pip install` takes them
  public static Path withOrSkip(String... packages) {
    return installedOrSkip(
            String.join("-", packages),
            (folder, log) -> {
              var install =
                  new ArrayList<>(
                      List.of(folder.resolve(INTERPRETER).toString(), "-m", "pip", "install", "-q"));
              install.addAll(List.of(packages));
              return Command.succeeds(log, List.of("python3", "-m", "venv", folder.toString()))
                  && Command.downloads(log, install);
            })
        .resolve(INTERPRETER);
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

  /// Returns an interpreter that has the libraries that learn on our environments and show what
  /// they learnt, installed once for every test.
  public static Path withLearnersOrSkip() {
    return withOrSkip(
        "stable-baselines3",
        "tianshou>=2",
        "gymnasium",
        "pandas",
        "pyarrow",
        "minari[hdf5]",
        "tensorboard",
        "matplotlib",
        "nbclient",
        "ipykernel",
        "setuptools");
  }

  /// Returns the folder of a wheel's files, without what it needs: for programs whose files are run
  /// as they are. If it cannot be had, skips the test as [#withOrSkip] does.
  ///
  /// @param requirement with its version, such as `cleanrl==1.2.0`
  public static Path wheelOrSkip(String requirement) {
    return installedOrSkip(
        requirement,
        (folder, log) ->
            Command.downloads(
                log,
                // Its requirements are those of its own programs, which nobody runs here.
                List.of(
                    "python3",
                    "-m",
                    "pip",
                    "install",
                    "-q",
                    "--no-deps",
                    "--ignore-requires-python",
                    "--target",
                    folder.toString(),
                    requirement)));
  }

  private interface Installation {
    boolean succeeds(Path folder, Path log) throws IOException;
  }

  /// Returns a folder in which something is installed, by the first process that wants it.
  private static Path installedOrSkip(String what, Installation installation) {
    String name = what.replaceAll("[^A-Za-z0-9.]+", "-");
    Path folder = Shared.root().resolve("target/python").resolve(name);
    Path ready = folder.resolve("ready");
    Path log = folder.resolve("install.log");
    String failure = "";
    try {
      Files.createDirectories(folder);
      try (var file =
              FileChannel.open(
                  folder.resolve("install.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = file.lock()) {
        if (!Files.exists(ready)) {
          if (installation.succeeds(folder, log)) {
            Files.createFile(ready);
          } else {
            failure = "Python packages %s cannot be installed, see %s".formatted(what, log);
          }
        }
      }
    } catch (IOException e) {
      failure = "Python is not installed: " + e.getMessage();
    }
    Skip.unlessInstalled(failure.isEmpty(), failure);
    return folder;
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
