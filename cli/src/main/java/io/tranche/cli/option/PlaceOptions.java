package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/// Where the work is done; the same options for every verb that can run on a cluster.
public final class PlaceOptions {

  @Option(
      names = "--on",
      paramLabel = "PLACE",
      defaultValue = Backends.LOCAL,
      description =
          "local, spark://HOST:PORT, k8s://ADDRESS or yarn (default: ${DEFAULT-VALUE}); does not change the"
              + " result (docs/scaling.md).")
  private String address = Backends.LOCAL;

  @Option(
      names = "--spark-conf",
      paramLabel = "KEY=VALUE",
      description = "An option of Spark, such as spark.executor.memory=4g; may be repeated.")
  private List<String> options = new ArrayList<>();

  /// Whether the work is done by threads of this process.
  ///
  /// @throws ConfigException if it is, and there are options for a cluster
  public boolean isLocal() {
    boolean local = address.equals(Backends.LOCAL);
    if (local && !options.isEmpty()) {
      throw new ConfigException("--spark-conf", "--on with a cluster", "--on local");
    }
    return local;
  }

  /// Makes the cluster's file systems readable before there is a cluster.
  public void announceFileSystems() {
    pairs()
        .forEach(
            (key, value) -> {
              if (key.startsWith("spark.hadoop.")) {
                System.setProperty(key, value); // as Spark itself takes options of a process
              }
            });
  }

  /// @param threads how many, if the work is done in this process
  /// @throws ConfigException if the cluster does not answer
  public JobBackend open(int threads, List<Path> plugins, PrintWriter err) {
    return Backends.open(address, new BackendSettings(threads, plugins, pairs(), err::println));
  }

  private Map<String, String> pairs() {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String option : options) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new ConfigException("--spark-conf", "KEY=VALUE", option);
      }
      // The first one counts: `cluster run` adds its own after the user's.
      pairs.putIfAbsent(option.substring(0, equals), option.substring(equals + 1));
    }
    return pairs;
  }
}
