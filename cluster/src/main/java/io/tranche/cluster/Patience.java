package io.tranche.cluster;

import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;

/// How long something of a cluster may take, from now on: what is wrong should be known soon. Spark
/// itself would wait a minute for a master, and for ever for executors.
///
/// @param end in nanoseconds of the system's timer
record Patience(long seconds, long end) {

  /// How long a master may take to take the application in.
  static final String MASTER = "spark.tranche.patience";

  /// How long the first executor may take to come; Spark's own name for it.
  static final String EXECUTORS = "spark.scheduler.maxRegisteredResourcesWaitingTime";

  private static final String DEFAULT = "20s";

  /// @param option [#MASTER] or [#EXECUTORS]
  static Patience of(SparkConf conf, String option) {
    long seconds = conf.getTimeAsSeconds(option, DEFAULT);
    return new Patience(seconds, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
  }

  /// Returns the nanoseconds that are left.
  long left() {
    return end - System.nanoTime();
  }
}
