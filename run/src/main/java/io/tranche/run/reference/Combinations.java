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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Which interpreters, networks and policies go together, found by making them.
///
/// One table of pairs says everything: parts go together if every two of them do.
public final class Combinations {

  /// The answer for parts that go together.
  public static final String YES = "yes";

  private static final String NO = "no";

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
          part("QuoteInterpreter", Map.of("max_offset_bps", 5, "max_rate", 4)),
          part("TwapRelativeInterpreter", Map.of("max_rate", 4)),
          part("TwapRelativeInterpreter"),
          part("TwapRelativeActionInterpreter"),
          part("VolumeInterpreter", Map.of("max_share", 1)),
          part("VolumeInterpreter", Map.of("max_volume", 100)),
          part("VolumeInterpreter"));

  private static final List<ConfigNode> POLICIES =
      PolicyCatalog.agents().components().stream()
          .filter(each -> !each.name().equals("AllOne")) // a rule, which needs no network
          .map(Combinations::policy)
          .toList();

  private Combinations() {}

  /// Returns the table: a row for each state interpreter and action interpreter, a column for each
  /// network and policy. The first row and the first column are names, the others are yes or no.
  public static List<List<String>> table() {
    var rows = new ArrayList<List<String>>();
    var head = new ArrayList<>(List.of("interpreter"));
    NETWORKS.forEach(each -> head.add(name(each)));
    POLICIES.forEach(each -> head.add(name(each)));
    rows.add(head);
    for (ConfigNode state : STATES) {
      var row = new ArrayList<>(List.of(label(state)));
      NETWORKS.forEach(network -> row.add(answer(hasAny(network, state, ACTIONS, POLICIES))));
      POLICIES.forEach(policy -> row.add(answer(hasAny(MLP, state, ACTIONS, List.of(policy)))));
      rows.add(row);
    }
    for (ConfigNode action : ACTIONS) {
      var row = new ArrayList<>(List.of(label(action)));
      List<ConfigNode> one = List.of(action);
      ConfigNode day = STATES.getFirst();
      NETWORKS.forEach(network -> row.add(answer(hasAny(network, day, one, POLICIES))));
      POLICIES.forEach(policy -> row.add(answer(hasAny(MLP, day, one, List.of(policy)))));
      rows.add(row);
    }
    return rows;
  }

  /// Returns for each whole agent that can be named whether it can be made, by the labels of its
  /// state interpreter, network, action interpreter and policy.
  static Map<List<String>, Boolean> agents() {
    var agents = new LinkedHashMap<List<String>, Boolean>();
    for (ConfigNode state : STATES) {
      for (ConfigNode network : NETWORKS) {
        for (ConfigNode action : ACTIONS) {
          for (ConfigNode policy : POLICIES) {
            agents.put(
                List.of(label(state), name(network), label(action), name(policy)),
                hasAny(network, state, List.of(action), List.of(policy)));
          }
        }
      }
    }
    return agents;
  }

  /// Policies of Qlib's names call their learning rate otherwise.
  private static ConfigNode policy(Component<?> each) {
    return part(each.name(), Map.of(each.modulePaths().isEmpty() ? "learning_rate" : "lr", 0.001));
  }

  /// Whether an agent can be made of these with one of the actions and one of the policies.
  private static boolean hasAny(
      ConfigNode network, ConfigNode state, List<ConfigNode> actions, List<ConfigNode> policies) {
    for (ConfigNode action : actions) {
      Space space =
          ExecutionCatalog.actionInterpreters().make(ComponentSpec.from(action)).actionSpace();
      BuildContext context = shown(state, space);
      for (ConfigNode policy : policies) {
        try {
          var _ = PolicyCatalog.agent(policy, PolicyCatalog.network(network, context), context);
          return true;
        } catch (ConfigException _) {
          // the next one, then
        }
      }
    }
    return false;
  }

  private static BuildContext shown(ConfigNode state, Space actions) {
    if (name(state).startsWith("FullHistory")) {
      return BuildContext.of(FullHistoryInterpreter.space(8, 240, 1), actions, 1);
    }
    var made = ExecutionCatalog.stateInterpreters(null).make(ComponentSpec.from(state));
    return BuildContext.of(made.observationSpace(), actions, 0);
  }

  private static String answer(boolean goes) {
    return goes ? YES : NO;
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

  /// An interpreter of several kinds of actions says by which settings it has them.
  private static String label(ConfigNode part) {
    ConfigNode settings = part.required("kwargs");
    List<String> kinds =
        Stream.of("offsets_bps", "max_offset_bps", "max_rate", "max_share", "max_volume")
            .filter(settings::has)
            .toList();
    return kinds.isEmpty() ? name(part) : name(part) + " with " + String.join(", ", kinds);
  }
}
