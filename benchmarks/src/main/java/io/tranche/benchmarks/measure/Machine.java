package io.tranche.benchmarks.measure;

import io.tranche.cli.console.Text;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The machine and the code a figure belongs to.
///
/// @param load the system's load average at the start: near zero on a quiet machine
public record Machine(String cpu, int cores, String jdk, String commit, double load) {

  private static final String UNKNOWN = "unknown";

  public static Machine here(Path home) {
    return new Machine(
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.vendor") + " " + Runtime.version(),
        commit(home),
        loadNow());
  }

  private static String cpuModel() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // a name for the log, not worth a failure
    }
  }

  private static String commit(Path home) {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .directory(home.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = git.inputReader().readAllAsString();
      return answer.isBlank() ? UNKNOWN : answer.strip();
    } catch (IOException e) {
      return UNKNOWN; // no git, or no repository
    }
  }

  /// Whether whoever checks out the commit has the code that runs here.
  public boolean isAtCommit() {
    return !commit.equals(UNKNOWN) && !commit.endsWith("-dirty");
  }

  /// Returns how many processes and threads have wanted a processor in the last minute.
  public static double loadNow() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /// Returns the machine and its Java.
  public String name() {
    return "%s, %d cores, %s".formatted(cpu, cores, jdk);
  }

  @Override
  public String toString() {
    return Text.of("%s, commit %s, load %.2f", name(), commit, load);
  }
}
