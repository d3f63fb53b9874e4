package io.tranche.cluster;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.table.ColumnMapping;
import io.tranche.work.BackendSettings;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/// The executors of a Spark application that lasts as long as this.
public final class SparkBackend implements JobBackend {

  private final String address;
  private final JavaSparkContext spark;
  private final PresentExecutors executors;
  private final ShippedJars jars;

  private SparkBackend(
      String address, JavaSparkContext spark, PresentExecutors executors, ShippedJars jars) {
    this.address = address;
    this.spark = spark;
    this.executors = executors;
    this.jars = jars;
  }

  /// @throws ConfigException if the master does not accept us, or no executor arrives
  public static SparkBackend start(String address, BackendSettings settings, ShippedJars jars) {
    SparkConf conf = SparkSettings.of(address, settings, jars);
    JavaSparkContext spark = context(address, conf);
    try {
      var executors = new PresentExecutors(spark.sc(), settings.messages());
      executors.await(address, conf);
      return new SparkBackend(address, spark, executors, jars);
    } catch (RuntimeException e) {
      spark.close();
      throw e;
    }
  }

  private static JavaSparkContext context(String address, SparkConf conf) {
    Patience patience = Patience.of(conf, Patience.MASTER);
    var started = new CompletableFuture<JavaSparkContext>();
    Runnable start =
        () -> {
          try {
            started.complete(new JavaSparkContext(conf));
          } catch (Exception e) {
            started.completeExceptionally(e);
          }
        };
    Thread starter = Thread.ofPlatform().daemon().name("tranche-spark-start").start(start);
    try {
      return started.get(patience.left(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      starter.interrupt();
      throw new ConfigException(
          "--on",
          "a Spark %s master that takes the application within %d s"
              .formatted(SparkSettings.version(), patience.seconds()),
          "%s, where something listens but does not answer: a master of another version of Spark"
                  .formatted(address)
              + " cannot understand this one, or it is no master at all");
    } catch (ExecutionException e) {
      throw new ConfigException(
          "--on",
          "a place where Spark %s can work".formatted(SparkSettings.version()),
          "%s (%s)".formatted(address, SparkFailures.inOneLine(e.getCause())));
    } catch (InterruptedException e) {
      starter.interrupt();
      Thread.currentThread().interrupt();
      throw new ConfigException("--on", "time to reach " + address, "an interruption");
    }
  }

  @Override
  public String name() {
    return address;
  }

  @Override
  public int width() {
    return spark.defaultParallelism();
  }

  @Override
  public JobSession open(JobKind kind, byte[] setup) {
    return new SparkJobSession(spark, executors, kind.name(), setup);
  }

  /// Returns what will know how long the tasks took that run from now on.
  public TaskTimes timeTasks() {
    return TaskTimes.of(spark.sc());
  }

  @Override
  public BarSource bars(String table, ColumnMapping mapping) {
    return SparkBars.open(spark.sc(), table, mapping);
  }

  @Override
  public void close() {
    spark.close();
    jars.close();
  }
}
