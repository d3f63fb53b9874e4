package io.tranche.cluster;

import io.tranche.config.ConfigException;
import io.tranche.work.BackendSettings;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;

/// How Spark is set up for our work, before the user's own options.
final class SparkSettings {

  private static final String LOCAL = "spark-local";
  private static final String LOGGING = "log4j2.configurationFile";

  /// What a process that works for us is started with; Spark adds the packages that it opens.
  private static final String JAVA_OPTIONS =
      "--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED"
          + " --sun-misc-unsafe-memory-access=allow"
          // An older Java must be able to start, so that the message can name it.
          + " -XX:+IgnoreUnrecognizedVMOptions";

  private SparkSettings() {}

  /// Turns Spark's log off, unless the user has configured it: we print what matters. Must be
  /// called before anything else of Spark.
  static void silence() {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "io/tranche/cluster/log4j2.properties");
    }
  }

  static boolean isInThisProcess(String address) {
    return address.startsWith(LOCAL);
  }

  static String version() {
    return org.apache.spark.package$.MODULE$.SPARK_VERSION();
  }

  /// @throws ConfigException if an option is not one of Spark
  static SparkConf of(String address, BackendSettings settings, ShippedJars jars) {
    silence();
    var conf =
        new SparkConf()
            .setAppName("tranche")
            .setMaster(isInThisProcess(address) ? address.substring("spark-".length()) : address)
            .set(
                "spark.jars",
                jars.jars().stream()
                    .map(Path::toUri)
                    .map(Object::toString)
                    .collect(Collectors.joining(",")))
            .set("spark.ui.enabled", "false")
            .set("spark.ui.showConsoleProgress", "false")
            // Rounds of several threads get their shares; a free core takes the next batch.
            .set("spark.scheduler.mode", "FAIR")
            .set("spark.locality.wait", "0")
            // Results are taken as they arrive and not kept.
            .set("spark.driver.maxResultSize", "0");
    if (isInThisProcess(address)) {
      conf.set(Patience.MASTER, "1h"); // nobody to wait for
    }
    if (Masters.areLocal(address) || isInThisProcess(address)) {
      conf.set("spark.driver.host", ClusterNode.loopback());
      conf.set("spark.driver.bindAddress", ClusterNode.loopback());
    }
    for (var option : settings.options().entrySet()) {
      if (!option.getKey().startsWith("spark.")) {
        throw new ConfigException("--spark-conf", "spark.NAME=VALUE", option);
      }
      conf.set(option.getKey(), option.getValue());
    }
    String own = "spark.executor.extraJavaOptions";
    return conf.set(own, (JAVA_OPTIONS + " " + conf.get(own, "")).strip());
  }
}
