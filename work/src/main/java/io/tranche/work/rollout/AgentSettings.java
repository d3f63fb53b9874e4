package io.tranche.work.rollout;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.Settings;
import io.tranche.work.ConfigPaths;
import java.nio.charset.StandardCharsets;
import java.util.Map;
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

  byte[] bytes() {
    ConfigNode all =
        ConfigFiles.of("agent", Map.of())
            .with(ENVIRONMENT, ConfigPaths.absolute(environment))
            .with(POLICY, policy);
    return (network == null ? all : all.with(NETWORK, network))
        .toYaml()
        .getBytes(StandardCharsets.UTF_8);
  }

  static AgentSettings read(byte[] bytes) {
    ConfigNode all = ConfigFiles.parse("agent", new String(bytes, StandardCharsets.UTF_8));
    return new AgentSettings(
        ConfigPaths.staged(all.required(ENVIRONMENT)),
        Settings.optional(all, NETWORK),
        all.required(POLICY));
  }
}
