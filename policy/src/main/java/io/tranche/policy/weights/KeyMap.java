package io.tranche.policy.weights;

import java.util.List;

/// Maps the parameters of a model to their keys in one of Qlib's state dicts.
///
/// Each rule replaces one prefix of parameter names by another prefix for keys, so applying the
/// rules in order gives the whole dict in Qlib's order. A parameter may have several keys; the
/// first is its own, the others are duplicates.
public record KeyMap(List<Rule> rules) {

  /// @param parameters prefix of the parameters' names
  /// @param keys prefix of their keys
  public record Rule(String parameters, String keys) {

    boolean matches(String parameter) {
      return parameter.startsWith(parameters);
    }

    String key(String parameter) {
      return keys + parameter.substring(parameters.length());
    }
  }

  /// Actor and critic with a shared extractor, and both again in tianshou's `_actor_critic`. Qlib:
  /// `PPO`.
  public static final KeyMap PPO =
      new KeyMap(
          List.of(
              new Rule("actor.", "actor."),
              new Rule("actor.extractor.", "critic.extractor."),
              new Rule("critic.", "critic."),
              new Rule("actor.", "_actor_critic.actor."),
              new Rule("actor.extractor.", "_actor_critic.critic.extractor."),
              new Rule("critic.", "_actor_critic.critic.")));

  /// The online network, whose Q values choose actions. Qlib: `DQN`.
  public static final KeyMap DQN = new KeyMap(List.of(new Rule("model.", "model.")));

  /// The target network, whose parameters have the same names.
  public static final KeyMap DQN_TARGET = new KeyMap(List.of(new Rule("model.", "model_old.")));

  /// Every parameter under its own name.
  public static final KeyMap OWN = new KeyMap(List.of(new Rule("", "")));

  public KeyMap {
    rules = List.copyOf(rules);
  }

  /// Returns the keys of a parameter, its own first.
  List<String> keys(String parameter) {
    List<String> keys =
        rules.stream()
            .filter(rule -> rule.matches(parameter))
            .map(rule -> rule.key(parameter))
            .toList();
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("parameter must match a rule, was '" + parameter + "'");
    }
    return keys;
  }
}
