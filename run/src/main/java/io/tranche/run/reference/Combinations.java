package io.tranche.run.reference;

import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.network.BuildContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Which parts of an agent go together, found by making them.
public final class Combinations {

  /// A table: the first row and the first column are names, the others are yes or no.
  public record Grid(List<List<String>> rows) {
    public Grid {
      rows = List.copyOf(rows);
    }
  }

  private static final String YES = "yes";
  private static final String NO = "no";

  /// Actions out of a list.
  private static final Space DISCRETE = new Space.Discrete(2);

  private static final ConfigNode MLP = part("Mlp");

  private static final List<ConfigNode> NETWORKS =
      List.of(
          part("Recurrent"),
          part("RecurrentNetwork"),
          part("DualAttention"),
          part("CausalTransformer"),
          part("Layers", Map.of("layers", List.of(Map.of("gru", 8)))),
          MLP);

  private static final List<ConfigNode> STATES =
      List.of(
          part("FullHistoryInterpreter"),
          part("FullHistoryStateInterpreter"),
          part("CurrentStepInterpreter", Map.of("max_steps", 8)),
          part("CurrentStepStateInterpreter", Map.of("max_step", 8)),
          part("DecisionInterpreter"),
          part("DummyInterpreter"),
          part("DummyStateInterpreter"));

  private static final List<ConfigNode> ACTIONS =
      List.of(
          part("CategoricalInterpreter", Map.of("shares", 4)),
          part("CategoricalActionInterpreter", Map.of("values", 4)),
          part("QuoteInterpreter", Map.of("shares", 4, "offsets_bps", List.of("market", 2))),
          part("QuoteInterpreter", Map.of("max_offset_bps", 5)),
          part("TwapRelativeInterpreter", Map.of("max_rate", 4)),
          part("TwapRelativeActionInterpreter"),
          part("VolumeInterpreter", Map.of("max_share", 1)));

  private Combinations() {}

  /// Returns which network reads what which state interpreter shows.
  public static Grid networks() {
    return grid(
        "state_interpreter",
        STATES,
        NETWORKS,
        (state, network) -> {
          BuildContext context = shown(state);
          var _ = PolicyCatalog.network(network, context);
        });
  }

  /// Returns which policy chooses among the actions of which action interpreter.
  public static Grid policies() {
    List<ConfigNode> policies =
        PolicyCatalog.agents().components().stream()
            .filter(each -> !each.name().equals("AllOne"))
            .map(Combinations::policy)
            .toList();
    return grid(
        "action_interpreter",
        ACTIONS,
        policies,
        (action, policy) -> {
          Space actions =
              ExecutionCatalog.actionInterpreters().make(ComponentSpec.from(action)).actionSpace();
          var context = BuildContext.of(FullHistoryInterpreter.space(8, 240, 1), actions, 1);
          var _ = PolicyCatalog.agent(policy, PolicyCatalog.network(MLP, context), context);
        });
  }

  /// Policies of Qlib's names call their learning rate otherwise.
  private static ConfigNode policy(Component<?> each) {
    return part(each.name(), Map.of(each.modulePaths().isEmpty() ? "learning_rate" : "lr", 0.001));
  }

  private static BuildContext shown(ConfigNode state) {
    if (name(state).startsWith("FullHistory")) {
      return BuildContext.of(FullHistoryInterpreter.space(8, 240, 1), DISCRETE, 1);
    }
    var made = ExecutionCatalog.stateInterpreters(null).make(ComponentSpec.from(state));
    return BuildContext.of(made.observationSpace(), DISCRETE, 0);
  }

  /// Makes two parts together.
  @FunctionalInterface
  private interface Trial {
    /// @throws ConfigException if they do not go together
    void make(ConfigNode one, ConfigNode other);
  }

  private static Grid grid(
      String corner, List<ConfigNode> down, List<ConfigNode> across, Trial trial) {
    var rows = new ArrayList<List<String>>();
    var head = new ArrayList<>(List.of(corner));
    across.forEach(each -> head.add(name(each)));
    rows.add(head);
    for (ConfigNode one : down) {
      var row = new ArrayList<>(List.of(label(one)));
      across.forEach(other -> row.add(goes(trial, one, other) ? YES : NO));
      rows.add(row);
    }
    return new Grid(rows);
  }

  private static boolean goes(Trial trial, ConfigNode one, ConfigNode other) {
    try {
      trial.make(one, other);
      return true;
    } catch (ConfigException _) {
      return false;
    }
  }

  private static ConfigNode part(String name) {
    return part(name, Map.of());
  }

  private static ConfigNode part(String name, Map<String, ?> settings) {
    return ConfigFiles.of("combinations", Map.of("class", name, "kwargs", settings));
  }

  private static String name(ConfigNode part) {
    return ComponentSpec.from(part).name();
  }

  /// An interpreter with two kinds of actions says which.
  private static String label(ConfigNode part) {
    String name = name(part);
    return name.equals("QuoteInterpreter")
        ? name
            + (part.required("kwargs").has("max_offset_bps")
                ? " (max_offset_bps)"
                : " (offsets_bps)")
        : name;
  }
}
