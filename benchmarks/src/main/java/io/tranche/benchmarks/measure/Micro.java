package io.tranche.benchmarks.measure;

import java.io.IOException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs a JMH class with its own settings, or very briefly in a quick run.
public final class Micro {

  private Micro() {}

  /// Returns the score of a `@Benchmark` method of `type`, in the unit the class asks for.
  public static double score(Options options, Class<?> type, String method) throws IOException {
    var settings = new OptionsBuilder().include("^" + type.getName() + "\\." + method + "$");
    if (options.quick()) {
      settings
          .forks(0)
          .warmupIterations(0)
          .measurementIterations(1)
          .measurementTime(TimeValue.milliseconds(50));
    }
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
