package io.tranche.cli;

import io.tranche.config.ConfigException;
import io.tranche.experiment.work.Workplace;
import io.tranche.experiment.work.WorkplaceSettings;
import io.tranche.experiment.work.Workplaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/// Where work is done; the same options for every verb whose work can be done elsewhere.
final class PlaceOptions {

  @Option(
      names = "--on",
      paramLabel = "PLACE",
      defaultValue = Workplaces.LOCAL,
      description =
          "Where the work is done: local, spark://HOST:PORT, k8s://ADDRESS or yarn; changes no"
              + " result (default: ${DEFAULT-VALUE}).")
  private String address = Workplaces.LOCAL;

  @Option(
      names = "--spark-conf",
      paramLabel = "KEY=VALUE",
      description = "A setting for Spark, such as spark.executor.memory=4g; may be repeated.")
  private List<String> settings = new ArrayList<>();

  /// @param threads how many work where the place is this process
  /// @param plugins jars that the work needs besides our own
  /// @throws ConfigException if nothing answers there
  Workplace open(int threads, List<Path> plugins, Consumer<String> messages) {
    var options = new LinkedHashMap<String, String>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new ConfigException("--spark-conf", "KEY=VALUE", setting);
      }
      options.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return Workplaces.open(address, new WorkplaceSettings(threads, plugins, options, messages));
  }
}
