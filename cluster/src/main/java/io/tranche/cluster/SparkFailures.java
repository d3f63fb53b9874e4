package io.tranche.cluster;

import io.tranche.config.ConfigException;
import io.tranche.work.WorkException;
import org.jspecify.annotations.Nullable;

/// Translates Spark's failures into our messages.
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

  /// Returns the first lines of a failure and of its cause: Spark often says only where it failed,
  /// and the cause says why.
  static String withReason(Throwable failure) {
    Throwable reason = failure;
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    String where = inOneLine(failure);
    String why = inOneLine(reason);
    return where.contains(why) ? where : "%s: %s".formatted(where, why);
  }

  static String inOneLine(@Nullable Throwable failure) {
    return failure == null
        ? "unknown"
        : String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
