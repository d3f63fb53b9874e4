package io.tranche.cluster;

import io.tranche.config.ConfigException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/// The executors that there are, as Spark reports them.
final class PresentExecutors extends SparkListener {

  /// How long the others are waited for when the first has come: all begin together.
  private static final long COMPANY_MILLIS = 1_000;

  private final SparkContext spark;
  private final Consumer<String> messages;
  private final Set<String> present = ConcurrentHashMap.newKeySet();

  PresentExecutors(SparkContext spark, Consumer<String> messages) {
    this.spark = spark;
    this.messages = messages;
    spark.addSparkListener(this);
    present.addAll(scala.jdk.javaapi.CollectionConverters.asJava(spark.getExecutorIds()));
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    present.add(event.executorId());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    present.remove(event.executorId());
    if (!spark.isStopped()) {
      messages.accept(
          "executor %s was lost (%s): its work is done again by others"
              .formatted(event.executorId(), event.reason().lines().findFirst().orElse("")));
    }
  }

  /// Returns how many there are; Spark in this process counts as one.
  int count() {
    return spark.isLocal() ? 1 : present.size();
  }

  /// Waits for the first.
  ///
  /// @throws ConfigException if none comes
  void await(String address, SparkConf conf) {
    Patience patience = Patience.of(conf, Patience.EXECUTORS);
    while (count() == 0) {
      if (patience.left() <= 0) {
        throw new ConfigException(
            "--on",
            "an executor within %d s".formatted(patience.seconds()),
            "none at %s: its page must show workers that are alive with a free core and %s of memory"
                    .formatted(address, conf.get("spark.executor.memory", "1g"))
                + " (--spark-conf spark.executor.memory=512m asks for less), and executors must"
                + " reach this host as "
                + conf.get("spark.driver.host", "it is called"));
      }
      pause(50);
    }
    if (!spark.isLocal()) {
      pause(COMPANY_MILLIS);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ConfigException("--on", "time for executors to come", "an interruption");
    }
  }
}
