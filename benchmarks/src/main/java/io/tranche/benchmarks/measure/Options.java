package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How to run a benchmark.
///
/// @param quick seconds instead of minutes: proves that it still runs; its figures mean nothing
/// @param peers run the Python peer on the same data too
/// @param home the project's folder
/// @param work an empty folder for generated data, deleted afterwards
/// @param log where progress goes
/// @param rows takes the rows of [SideBySide]s
/// @param parts where the parts of a long benchmark are kept
public record Options(
    boolean quick,
    boolean peers,
    Path home,
    Path work,
    PrintStream log,
    Consumer<Row> rows,
    Parts parts) {

  /// Measures a part of a benchmark, unless an interrupted run already has.
  public interface Parts {

    /// @param name of the part, unlike those of all others
    List<Figure> once(String name, Part part) throws IOException;
  }

  /// A part of a benchmark.
  @FunctionalInterface
  public interface Part {
    List<Figure> measure() throws IOException;
  }

  public Options(
      boolean quick, boolean peers, Path home, Path work, PrintStream log, Consumer<Row> rows) {
    this(quick, peers, home, work, log, rows, (_, part) -> part.measure());
  }

  /// Returns `full`, or `reduced` in a quick run.
  public int count(int full, int reduced) {
    return quick ? reduced : full;
  }

  /// Prints progress.
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  public void printf(String format, @Nullable Object... arguments) {
    log.printf(format, arguments);
  }

  /// Returns the beginning of a command that runs our code in a process of its own, up to its class
  /// path.
  ///
  /// @param isHasty whether it is over before fast code would pay for its compilation
  public static List<String> java(boolean isHasty, String... limits) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    command.add("--add-modules=jdk.incubator.vector");
    command.addAll(List.of(limits));
    if (isHasty) {
      command.addAll(List.of("-Dtranche.kernels=scalar", "-XX:TieredStopAtLevel=1"));
    }
    command.addAll(List.of("--class-path", System.getProperty("java.class.path")));
    return command;
  }

  /// Waits for the end of a process.
  ///
  /// @throws IOException if this is interrupted, which ends the process too
  public static int exitCode(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while another process was running", e);
    }
  }
}
