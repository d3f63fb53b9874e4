package io.tranche.experiment.training;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The settings that an agent is made of, as they cross to other processes: as text.
///
/// @param environment as [io.tranche.execution.catalog.OrderExecutionSpec] takes them
/// @param network null if there is none
public record AgentSettings(
    ConfigNode environment, @Nullable ConfigNode network, ConfigNode policy) {

  private static final String ENVIRONMENT = "environment";
  private static final String NETWORK = "network";
  private static final String POLICY = "policy";

  /// The settings of our own components that name files.
  private static final Set<String> PATHS = Set.of("path", "data_dir", "backtest_dir");

  byte[] bytes() {
    ConfigNode all =
        ConfigFiles.of("agent", Map.of())
            .with(ENVIRONMENT, withWholePaths(environment))
            .with(POLICY, policy);
    return (network == null ? all : all.with(NETWORK, network))
        .toYaml()
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Another process works in another folder.
  private static ConfigNode withWholePaths(ConfigNode settings) {
    ConfigNode whole = settings;
    for (String key : settings.keys()) {
      ConfigNode value = settings.required(key);
      if (value.isMapping()) {
        whole = whole.with(key, withWholePaths(value));
      } else if (PATHS.contains(key) && value.scalar() instanceof String) {
        Path path = value.asPath(Path.of("")).toAbsolutePath();
        whole = whole.with(key, ConfigFiles.of("agent", path.toString()));
      }
    }
    return whole;
  }

  static AgentSettings read(byte[] bytes) {
    ConfigNode all = ConfigFiles.parse("agent", new String(bytes, StandardCharsets.UTF_8));
    return new AgentSettings(
        all.required(ENVIRONMENT), Settings.optional(all, NETWORK), all.required(POLICY));
  }
}
