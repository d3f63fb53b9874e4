package io.tranche.cli;

import io.tranche.experiment.work.Workplace;
import io.tranche.experiment.work.WorkplaceSettings;
import io.tranche.experiment.work.Workplaces;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where the work is done; the same options for every verb that can be helped.
final class PlaceOptions {

  @Option(
      names = "--on",
      paramLabel = "PLACE",
      description =
          "Where the work is done: local, spark://HOST:PORT, k8s://ADDRESS or yarn; changes no"
              + " result (default: local).")
  private String address = Workplaces.LOCAL;

  @Option(
      names = "--spark-conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of Spark's, for --on; may be repeated.")
  private Map<String, String> sparkConf = new LinkedHashMap<>();

  /// Whether that is somewhere else.
  boolean isElsewhere() {
    return !address.equals(Workplaces.LOCAL);
  }

  /// Opens it, or returns null if the work is done here.
  ///
  /// @throws io.tranche.config.ConfigException if nobody serves it, or nothing answers there
  @Nullable Workplace open(List<Path> plugins, PrintWriter err) {
    return isElsewhere()
        ? Workplaces.open(
            address,
            new WorkplaceSettings(
                Runtime.getRuntime().availableProcessors(), plugins, sparkConf, err::println))
        : null;
  }
}
