package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Timing;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `tranche train` in a process of its own, on one thread, watched from outside: the clocks are
/// read whenever it reports an iteration.
///
/// Java uses as much heap as it may before it collects garbage, by default a quarter of the
/// machine, so its real need shows only under a limit. All figures have the same limit.
final class TrainingProcess {

  private static final String MAIN = io.tranche.cli.Main.class.getName();

  /// The exit code of Java after an orderly stop.
  private static final int TERMINATED = 143;

  private static final Pattern ITERATION = Pattern.compile("iteration (\\d+)[/:].*");
  private static final Pattern VALIDATION =
      Pattern.compile(".*validation advantage (-?[0-9.]+) bps.*");

  /// The end of an iteration.
  ///
  /// @param age wall and CPU time of the process so far
  /// @param advantageBps of the validation after it; null if there was none
  record Iteration(Timing age, @Nullable Double advantageBps) {}

  /// The observed iterations.
  ///
  /// @param peakMegabytes the largest resident set up to the last iteration; 0 where the system
  ///   does not tell
  record Watched(List<Iteration> iterations, double peakMegabytes) {

    /// Returns the time of an iteration, without the first `warmups`.
    Timing iteration(int warmups) {
      var each = new ArrayList<Timing>();
      for (int i = Math.max(1, warmups); i < iterations.size(); i++) {
        Timing from = iterations.get(i - 1).age();
        Timing to = iterations.get(i).age();
        each.add(
            new Timing(to.wallSeconds() - from.wallSeconds(), to.cpuSeconds() - from.cpuSeconds()));
      }
      return Timing.median(each);
    }

    /// Returns the greatest advantage of a validation in the first `seconds`: that of the policy
    /// which early stopping would keep.
    double advantageBps(double seconds) {
      double best = Double.NaN;
      for (Iteration iteration : iterations) {
        Double advantage = iteration.advantageBps();
        if (advantage != null && iteration.age().wallSeconds() <= seconds) {
          best = Double.isNaN(best) ? advantage : Math.max(best, advantage);
        }
      }
      return best;
    }
  }

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
    this.java = Options.java(options.quick(), "-XX:+UseSerialGC", "-Xmx256m");
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

  /// Returns the seconds from the start of the process to its first step in an environment.
  ///
  /// @throws IOException if there is none; the log has its output
  double secondsToFirstStep(Path config) throws IOException {
    long start = System.nanoTime();
    Process process =
        start(config, List.of("--set", "reward={class: %s}".formatted(FirstStep.NAME)));
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        if (line.equals(FirstStep.NAME)) {
          return (System.nanoTime() - start) / 1e9;
        }
      }
    } finally {
      process.destroyForcibly();
    }
    throw failure(process);
  }

  /// Trains until the run is over, or a number of iterations or seconds is reached.
  ///
  /// @throws IOException if it fails; the log has its output
  Watched run(Path config, int maxIterations, double maxSeconds, List<String> more)
      throws IOException {
    long start = System.nanoTime();
    Process process = start(config, more);
    var iterations = new ArrayList<Iteration>();
    double peak = 0;
    boolean isStopped = false;
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while (!isStopped && (line = lines.readLine()) != null) {
        double wall = (System.nanoTime() - start) / 1e9;
        if (ITERATION.matcher(line).matches()) {
          Matcher matcher = VALIDATION.matcher(line);
          Double advantage = matcher.matches() ? Double.valueOf(matcher.group(1)) : null;
          iterations.add(new Iteration(new Timing(wall, cpuSeconds(process)), advantage));
          peak = ResidentSet.peakMegabytes(process.pid());
        }
        isStopped = iterations.size() == maxIterations || wall > maxSeconds;
      }
    } finally {
      process.destroyForcibly();
    }
    if (iterations.isEmpty()) {
      throw failure(process);
    }
    return new Watched(iterations, peak);
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
