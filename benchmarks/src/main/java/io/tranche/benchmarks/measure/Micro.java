package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs a JMH class in two forks, or very briefly in a quick run.
public final class Micro {

  private Micro() {}

  /// Returns the average time of a `@Benchmark` method of `type`.
  ///
  /// @param seconds how long an iteration takes
  public static double nanos(Options options, Class<?> type, String method, int seconds)
      throws IOException {
    var settings =
        new OptionsBuilder()
            .include("^" + type.getCanonicalName() + "\\." + method + "$")
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(options.count(2, 0))
            .jvmArgsAppend("--add-modules=jdk.incubator.vector")
            .warmupIterations(options.count(3, 0))
            .warmupTime(TimeValue.seconds(seconds))
            .measurementIterations(options.count(5, 1))
            .measurementTime(TimeValue.milliseconds(options.count(1_000 * seconds, 50)));
    // By itself JMH would print to standard output, which is for figures.
    var format =
        OutputFormatFactory.createFormatInstance(
            options.log(), options.quick() ? VerboseMode.SILENT : VerboseMode.NORMAL);
    try {
      return new Runner(settings.build(), format).runSingle().getPrimaryResult().getScore();
    } catch (RunnerException e) {
      throw new IOException(type.getSimpleName() + ": " + e.getMessage(), e);
    }
  }
}
