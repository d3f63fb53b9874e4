package io.tranche.cluster;

import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;

/// How long a cluster may take to take us in, from now on: what is wrong should be known soon.
/// Spark itself would wait for a minute for a master, and for ever for executors.
///
/// @param end in nanoseconds of the system's timer
record Patience(long seconds, long end) {

  /// The option that says otherwise, such as `60s`.
  static final String OPTION = "spark.tranche.patience";

  static Patience of(SparkConf conf) {
    long seconds = conf.getTimeAsSeconds(OPTION, "20s");
    return new Patience(seconds, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
  }

  /// Returns the nanoseconds that are left.
  long left() {
    return end - System.nanoTime();
  }
}
