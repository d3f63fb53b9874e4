package io.tranche.cluster;

import io.tranche.config.ConfigException;
import io.tranche.experiment.work.WorkException;
import org.jspecify.annotations.Nullable;

/// What Spark complains of, in our words.
final class SparkFailures {

  private SparkFailures() {}

  /// Returns why a round could not be finished.
  static RuntimeException of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains("UnsupportedClassVersionError")) {
        return new ConfigException(
            "--on",
            "executors with Java %d or newer (JAVA_HOME of the workers)"
                .formatted(Runtime.version().feature()),
            "an older one");
      }
    }
    return new WorkException("Spark gave the work up: " + inOneLine(failure), failure);
  }

  /// Returns the first line of a complaint.
  static String inOneLine(@Nullable Throwable failure) {
    return failure == null
        ? "unknown"
        : String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
