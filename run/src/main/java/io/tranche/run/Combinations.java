package io.tranche.run;

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

  private static final String MLP = "{class: Mlp}";

  private static final List<String> NETWORKS =
      List.of(
          "{class: Recurrent}",
          "{class: RecurrentNetwork}",
          "{class: DualAttention}",
          "{class: CausalTransformer}",
          "{class: Layers, kwargs: {layers: [gru: 8]}}",
          MLP);

  private static final List<String> STATES =
      List.of(
          "{class: FullHistoryInterpreter}",
          "{class: FullHistoryStateInterpreter}",
          "{class: CurrentStepInterpreter, kwargs: {max_steps: 8}}",
          "{class: CurrentStepStateInterpreter, kwargs: {max_step: 8}}",
          "{class: DecisionInterpreter}",
          "{class: DummyInterpreter}",
          "{class: DummyStateInterpreter}");

  private static final List<String> ACTIONS =
      List.of(
          "{class: CategoricalInterpreter, kwargs: {shares: 4}}",
          "{class: CategoricalActionInterpreter, kwargs: {values: 4}}",
          "{class: QuoteInterpreter, kwargs: {shares: 4, offsets_bps: [market, 2]}}",
          "{class: QuoteInterpreter, kwargs: {max_offset_bps: 5}}",
          "{class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}",
          "{class: TwapRelativeActionInterpreter}",
          "{class: VolumeInterpreter, kwargs: {max_share: 1}}");

  private Combinations() {}

  /// Returns which network reads what which state interpreter shows.
  public static Grid networks() {
    return grid(
        "state_interpreter",
        STATES,
        NETWORKS,
        (state, network) -> {
          BuildContext context = shown(state);
          var _ = PolicyCatalog.network(node(network), context);
        });
  }

  /// Returns which policy chooses among the actions of which action interpreter.
  public static Grid policies() {
    List<String> policies =
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
              ExecutionCatalog.actionInterpreters()
                  .make(ComponentSpec.from(node(action)))
                  .actionSpace();
          var context = BuildContext.of(FullHistoryInterpreter.space(8, 240, 1), actions, 1);
          var _ =
              PolicyCatalog.agent(node(policy), PolicyCatalog.network(node(MLP), context), context);
        });
  }

  /// Policies of Qlib's names call their learning rate otherwise.
  private static String policy(Component<?> each) {
    return "{class: %s, kwargs: {%s: 0.001}}"
        .formatted(each.name(), each.modulePaths().isEmpty() ? "learning_rate" : "lr");
  }

  private static BuildContext shown(String state) {
    if (name(state).startsWith("FullHistory")) {
      return BuildContext.of(FullHistoryInterpreter.space(8, 240, 1), DISCRETE, 1);
    }
    var made = ExecutionCatalog.stateInterpreters(null).make(ComponentSpec.from(node(state)));
    return BuildContext.of(made.observationSpace(), DISCRETE, 0);
  }

  /// Makes two parts together.
  @FunctionalInterface
  private interface Trial {
    /// @throws ConfigException if they do not go together
    void make(String one, String other);
  }

  private static Grid grid(String corner, List<String> down, List<String> across, Trial trial) {
    var rows = new ArrayList<List<String>>();
    var head = new ArrayList<>(List.of(corner));
    across.forEach(each -> head.add(name(each)));
    rows.add(head);
    for (String one : down) {
      var row = new ArrayList<>(List.of(label(one)));
      across.forEach(other -> row.add(goes(trial, one, other) ? YES : NO));
      rows.add(row);
    }
    return new Grid(rows);
  }

  private static boolean goes(Trial trial, String one, String other) {
    try {
      trial.make(one, other);
      return true;
    } catch (ConfigException _) {
      return false;
    }
  }

  private static ConfigNode node(String text) {
    return ConfigFiles.parse("combinations", text);
  }

  private static String name(String text) {
    return ComponentSpec.from(node(text)).name();
  }

  /// An interpreter with two kinds of actions says which.
  private static String label(String text) {
    String name = name(text);
    return name.equals("QuoteInterpreter")
        ? name + (text.contains("max_offset_bps") ? " (max_offset_bps)" : " (offsets_bps)")
        : name;
  }
}
