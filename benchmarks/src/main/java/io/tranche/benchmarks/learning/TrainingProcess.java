package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.benchmarks.measure.Turn;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// `tranche train` in a process of its own, on one thread, watched from outside.
final class TrainingProcess {

  private static final String MAIN = io.tranche.cli.Main.class.getName();

  /// As the launcher has it, and no limit.
  private static final String[] MEMORY = {"-XX:+UseParallelGC", "-Xms32m", "-XX:MaxNewSize=40m"};

  /// The exit code of Java after an orderly stop.
  private static final int TERMINATED = 143;

  private static final Pattern ITERATION = Pattern.compile("iteration (\\d+)[/:].*");

  /// A run that ended normally.
  ///
  /// @param folder what it left behind
  /// @param age wall and CPU time of the process at the last iteration that it reported
  record Trained(Path folder, Timing age) {}

  private final Options options;
  private final List<String> java;
  private int runs;

  /// @param rehearsal the configuration of the short run that fills the AOT cache
  TrainingProcess(Options options, Path rehearsal) throws IOException {
    this.options = options;
    this.java = Options.java(options.quick(), MEMORY);
    if (!options.quick()) {
      cacheClasses(rehearsal);
    }
  }

  /// Makes an AOT cache from a short run, as the launcher does.
  private void cacheClasses(Path config) throws IOException {
    Path cache = options.work().resolve("classes.aot");
    var command = new ArrayList<>(java);
    command.add("-XX:AOTCacheOutput=" + cache);
    command.addAll(List.of(MAIN, "train", config.toString(), "--fast-dev-run", "1"));
    command.addAll(List.of("--out", options.work().resolve("rehearsal").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(options.work().resolve("classes.log").toFile())
            .start();
    Options.exitCode(process);
    if (Files.exists(cache)) {
      java.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
    }
  }

  /// Starts a run and waits for its first step in an environment.
  ///
  /// @throws IOException if there is none; the log has its output
  Turn firstStep(Path config) throws IOException {
    return firstStep(
        () -> start(config, List.of("--set", "reward={class: %s}".formatted(FirstStep.NAME))),
        FirstStep.NAME);
  }

  /// Starts a peer and waits until it says that it has taken its first step.
  Turn firstStep(List<String> command) throws IOException {
    runs++;
    return firstStep(
        () -> new ProcessBuilder(command).redirectError(errors().toFile()).start(), "first_step");
  }

  /// Something that starts a process.
  private interface Starting {
    Process start() throws IOException;
  }

  private Turn firstStep(Starting starting, String word) throws IOException {
    long start = System.nanoTime();
    Process process = starting.start();
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        if (line.contains(word)) {
          double wall = (System.nanoTime() - start) / 1e9;
          return Turn.of(new Timing(wall, cpuSeconds(process)), 1);
        }
      }
    } finally {
      process.destroyForcibly();
    }
    throw failure(process);
  }

  /// Returns the largest resident set of a run of so many iterations; 0 where the system does not
  /// tell.
  double peakMegabytes(Path config, int iterations) throws IOException {
    Process process = start(config, List.of());
    double peak = 0;
    int count = 0;
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while (count < iterations && (line = lines.readLine()) != null) {
        if (ITERATION.matcher(line).matches()) {
          count++;
          peak = ResidentSet.peakMegabytes(process.pid());
        }
      }
    } finally {
      process.destroyForcibly();
    }
    if (count < iterations) {
      throw failure(process);
    }
    return peak;
  }

  /// Trains until the run is over. At its first report after so many CPU seconds it is asked to
  /// stop, which it does after saving the current iteration.
  ///
  /// @throws IOException if it fails; the log has its output
  Trained train(Path config, double maxCpuSeconds, List<String> more) throws IOException {
    long start = System.nanoTime();
    Process process = start(config, more);
    var age = new Timing(0, 0);
    boolean isStopped = false;
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        if (ITERATION.matcher(line).matches()) {
          age = new Timing((System.nanoTime() - start) / 1e9, cpuSeconds(process));
        }
        if (!isStopped && age.cpuSeconds() >= maxCpuSeconds) {
          isStopped = true;
          process.toHandle().destroy(); // SIGTERM, because a shell may let it ignore SIGINT
        }
      }
      int code = Options.exitCode(process);
      if (code != 0 && !(isStopped && code == TERMINATED)) {
        throw failure(process);
      }
      return new Trained(folder(), age);
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(Path config, List<String> more) throws IOException {
    runs++;
    var command = new ArrayList<>(java);
    command.addAll(List.of(MAIN, "train", config.toString(), "--threads", "1"));
    command.addAll(List.of("--out", folder().toString()));
    command.addAll(more);
    return new ProcessBuilder(command).redirectError(errors().toFile()).start();
  }

  private Path folder() {
    return options.work().resolve("run" + runs);
  }

  private Path errors() {
    return options.work().resolve("run%d.log".formatted(runs));
  }

  private IOException failure(Process process) throws IOException {
    options.log().println(Files.readString(errors()));
    return new IOException(
        "tranche train must report an iteration, ended with " + Options.exitCode(process));
  }

  private static double cpuSeconds(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }
}
