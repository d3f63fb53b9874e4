package io.tranche.serving.app;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelSpec;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.http.HttpConfig;
import io.tranche.serving.http.ServiceLog;
import io.tranche.serving.predict.PredictConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The configuration of a service with its HTTP server.
///
/// @param models the names of the models to load at the start; new orders go to the first, unless
///   the journal has a route
public record DecisionServerConfig(
    ServiceConfig engine,
    HttpConfig http,
    PredictConfig predict,
    ServiceLog.Level level,
    List<String> models) {

  public DecisionServerConfig {
    models = List.copyOf(models);
  }

  /// Returns the configuration for bundles and a configuration file.
  ///
  /// @param bundles at least one; all in one folder, which is the model folder
  /// @param node with `http`, `predict`, `engine`, `journal` and `log`, all optional
  /// @param base the folder that relative paths start from
  /// @throws ConfigException if the configuration is wrong
  /// @throws CheckpointException if the first bundle is damaged
  public static DecisionServerConfig of(List<Path> bundles, ConfigNode node, Path base) {
    node.rejectUnknown(List.of("http", "predict", "engine", "journal", "log"));
    Path folder = folder(bundles.getFirst());
    var names = new ArrayList<String>();
    for (Path bundle : bundles) {
      names.add(name(bundle, folder));
    }
    ModelSpec spec = BundleFile.read(bundles.getFirst()).spec();
    ConfigNode journal = node.written("journal");
    var engine =
        ServiceConfig.of(
            folder,
            journal == null ? Path.of("journal") : journal.asPath(base),
            spec.session(),
            spec.frequency());
    ConfigNode more = node.written("engine");
    ConfigNode http = node.written("http");
    ConfigNode predict = node.written("predict");
    return new DecisionServerConfig(
        more == null ? engine : EngineSettings.over(engine, more),
        http == null ? HttpConfig.DEFAULT : HttpConfig.from(http, base),
        predict == null ? PredictConfig.DEFAULT : PredictConfig.from(predict),
        level(node),
        names);
  }

  private static String name(Path bundle, Path folder) {
    String file = String.valueOf(bundle.getFileName());
    if (!file.endsWith(BundleFile.SUFFIX)) {
      throw new CheckpointException(
          bundle.toString(), "a model bundle, whose name ends with " + BundleFile.SUFFIX, file);
    }
    if (!folder.equals(folder(bundle))) {
      throw new ConfigException("BUNDLE", "all bundles in the folder of the first", bundle);
    }
    return file.substring(0, file.length() - BundleFile.SUFFIX.length());
  }

  private static Path folder(Path bundle) {
    Path folder = bundle.toAbsolutePath().normalize().getParent();
    if (folder == null) {
      throw new CheckpointException(bundle.toString(), "a model bundle", "no file");
    }
    return folder;
  }

  private static ServiceLog.Level level(ConfigNode node) {
    ConfigNode log = node.written("log");
    return log == null
        ? ServiceLog.Level.INFO
        : ServiceLog.Level.valueOf(
            log.asChoice(List.of("error", "warn", "info", "debug")).toUpperCase(Locale.ROOT));
  }
}
