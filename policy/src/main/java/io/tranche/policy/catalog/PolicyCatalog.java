package io.tranche.policy.catalog;

import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.AllOne;
import io.tranche.env.Observation;
import io.tranche.env.space.Space;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.RuleSpec;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.tensor.layer.Layer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The catalogs of networks and agents. Components under Qlib's names behave like Qlib, quirks
/// included; those under native names, which are the class names, do not have the quirks.
public final class PolicyCatalog {

  static final List<String> QLIB_POLICIES =
      List.of("qlib.rl.order_execution.policy", "qlib.rl.order_execution");

  private PolicyCatalog() {}

  @SuppressWarnings("unchecked") // class objects have no type parameters
  private static <T> Class<T> kind(Class<?> raw) {
    return (Class<T>) raw;
  }

  /// Returns the type of the components in [#networks].
  public static <O extends Observation> Class<Network.Factory<O>> network() {
    return kind(Network.Factory.class);
  }

  /// Returns the type of the components in [#agents].
  public static <O extends Observation> Class<AgentSpec<O>> agent() {
    return kind(AgentSpec.class);
  }

  /// Returns the catalog of networks.
  ///
  /// @param dataWidth the number of features per tick
  public static <O extends Observation & DayObservation> Catalog<Network.Factory<O>> networks(
      int dataWidth) {
    return Catalog.of(network(), NetworkComponents.all(dataWidth));
  }

  /// Returns the catalog of layers, of which the network `Layers` is made.
  public static Catalog<Layer.Factory> layers() {
    return LayerComponents.catalog();
  }

  /// Returns the network that `settings` name; it may come from a plug-in.
  ///
  /// @param dataWidth the number of features per tick
  /// @throws ConfigException if it is unknown, or its settings are wrong
  public static <O extends Observation & DayObservation> Network.Factory<O> network(
      ConfigNode settings, int dataWidth) {
    return PolicyCatalog.<O>networks(dataWidth).withInstalled().make(ComponentSpec.from(settings));
  }

  /// Returns the agent that `settings` name; it may come from a plug-in.
  ///
  /// @param network null if none is configured; only an agent that learns needs one
  /// @param actions the actions that the action interpreter accepts
  /// @throws ConfigException if it is unknown, or its settings are wrong
  public static <O extends Observation> AgentSpec<O> agent(
      ConfigNode settings, Network.@Nullable Factory<O> network, Space actions) {
    return agents(network, actions).withInstalled().make(ComponentSpec.from(settings));
  }

  /// Returns the catalog of agents and their algorithms.
  ///
  /// @param network null if none is configured; only an agent that learns needs one
  /// @param actions the actions that the action interpreter accepts
  public static <O extends Observation> Catalog<AgentSpec<O>> agents(
      Network.@Nullable Factory<O> network, Space actions) {
    Class<AgentSpec<O>> kind = agent();
    return Catalog.of(
        kind,
        List.of(
            new Component<>(
                kind,
                "PPO",
                QLIB_POLICIES,
                "proximal policy optimisation",
                node -> ppo(PpoComponents.qlib(node), true, network, actions)),
            new Component<>(
                kind,
                "DQN",
                QLIB_POLICIES,
                "one gradient step on all experience, values as probabilities, no exploration",
                node -> dqn(DqnComponents.qlib(node), DqnComponents::qlibConfig, network, actions)),
            new Component<>(
                kind,
                "AllOne",
                QLIB_POLICIES,
                "always the same action",
                node -> new RuleSpec<>(AllOne.from(node))),
            Component.of(
                kind,
                "Ppo",
                "proximal policy optimisation",
                node -> ppo(PpoComponents.own(node), false, network, actions)),
            Component.of(
                kind,
                "Dqn",
                "values of actions, from replayed experience",
                node ->
                    dqn(DqnComponents.plain(node), DqnComponents::plainConfig, network, actions)),
            Component.of(
                kind,
                "QuantileDqn",
                "quantiles of the return of actions, chosen by their mean or their tail",
                node ->
                    dqn(
                        DqnComponents.quantile(node),
                        DqnComponents::quantileConfig,
                        network,
                        actions))));
  }

  private static <O extends Observation> AgentSpec<O> ppo(
      LearningSettings settings,
      boolean isQlib,
      Network.@Nullable Factory<O> network,
      Space actions) {
    var config = PpoComponents.config(settings, isQlib);
    return new PpoSpec<>(
        required(settings, network),
        isQlib
            ? new Categorical(choices(settings, actions))
            : HeadComponents.distribution(settings, actions),
        config,
        settings.weightFile());
  }

  private static <O extends Observation> AgentSpec<O> dqn(
      LearningSettings settings,
      Function<LearningSettings, DqnConfig> reader,
      Network.@Nullable Factory<O> network,
      Space actions) {
    DqnConfig config = reader.apply(settings);
    return new DqnSpec<>(
        required(settings, network), choices(settings, actions), config, settings.weightFile());
  }

  private static <O extends Observation> Network.Factory<O> required(
      LearningSettings settings, Network.@Nullable Factory<O> network) {
    if (network == null) {
      throw new ConfigException(settings.node().where(), "a network beside the policy", "none");
    }
    return network;
  }

  private static int choices(LearningSettings settings, Space actions) {
    if (!(actions instanceof Space.Discrete(int choices))) {
      throw new ConfigException(
          settings.node().where(),
          "an action interpreter whose actions are discrete; for continuous ones, the policies Ppo"
              + " or Sac",
          actions);
    }
    return choices;
  }
}
