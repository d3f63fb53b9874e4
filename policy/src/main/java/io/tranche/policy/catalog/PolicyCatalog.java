package io.tranche.policy.catalog;

import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.AllOne;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Space;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.RuleSpec;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.DayNetworkConfig;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.policy.sac.SacConfig;
import io.tranche.policy.sac.SacSpec;
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
  public static <O extends Observation> Class<Network.Maker<O>> network() {
    return kind(Network.Maker.class);
  }

  /// Returns the type of the components in [#agents].
  public static <O extends Observation> Class<AgentSpec.Maker<O>> agent() {
    return kind(AgentSpec.Maker.class);
  }

  /// Returns the catalog of networks.
  public static <O extends Observation> Catalog<Network.Maker<O>> networks() {
    return Catalog.of(network(), NetworkComponents.all());
  }

  /// Returns the catalog of layers, of which the network `Layers` is made.
  public static Catalog<Layer.Factory> layers() {
    return LayerComponents.catalog();
  }

  /// Returns typed settings as a configuration names them, so that any process can make the same
  /// agent; null if a configuration cannot.
  public static @Nullable ConfigNode describe(PpoConfig config) {
    return Described.ppo(config);
  }

  /// As [#describe(PpoConfig)].
  public static @Nullable ConfigNode describe(DqnConfig config) {
    return Described.dqn(config);
  }

  /// As [#describe(PpoConfig)].
  public static @Nullable ConfigNode describe(SacConfig config) {
    return Described.sac(config);
  }

  /// As [#describe(PpoConfig)], for networks.
  public static @Nullable ConfigNode describe(DayNetworkConfig config) {
    return Described.network(config);
  }

  /// Returns the network that `settings` name; it may come from a plug-in.
  ///
  /// @throws ConfigException if it is unknown, or its settings are wrong
  public static <O extends Observation> Network.Factory<O> network(
      ConfigNode settings, BuildContext context) {
    return PolicyCatalog.<O>networks()
        .withInstalled()
        .make(ComponentSpec.from(settings))
        .make(context);
  }

  /// Returns the agent that `settings` name; it may come from a plug-in.
  ///
  /// @param network null if none is configured; only an agent that learns needs one
  /// @throws ConfigException if it is unknown, or its settings are wrong
  public static <O extends Observation> AgentSpec<O> agent(
      ConfigNode settings, Network.@Nullable Factory<O> network, BuildContext context) {
    return PolicyCatalog.<O>agents()
        .withInstalled()
        .make(ComponentSpec.from(settings))
        .make(network, context);
  }

  /// Returns the catalog of agents and their algorithms.
  public static <O extends Observation> Catalog<AgentSpec.Maker<O>> agents() {
    Class<AgentSpec.Maker<O>> kind = agent();
    return Catalog.of(
        kind,
        List.of(
            new Component<>(
                kind,
                "PPO",
                QLIB_POLICIES,
                "proximal policy optimisation",
                node -> ppo(PpoComponents.qlib(node), true)),
            new Component<>(
                kind,
                "DQN",
                QLIB_POLICIES,
                "one gradient step on all experience, values as probabilities, no exploration",
                node -> dqn(DqnComponents.qlib(node), DqnComponents::qlibConfig)),
            new Component<>(
                kind,
                "AllOne",
                QLIB_POLICIES,
                "always the same action",
                node -> rule(AllOne.from(node))),
            Component.of(
                kind,
                "Ppo",
                "proximal policy optimisation",
                node -> ppo(PpoComponents.own(node), false)),
            Component.of(
                kind,
                "Sac",
                "soft actor-critic: continuous actions, from replayed experience",
                node -> sac(SacComponents.own(node))),
            Component.of(
                kind,
                "Dqn",
                "values of actions, from replayed experience",
                node -> dqn(DqnComponents.plain(node), DqnComponents::plainConfig)),
            Component.of(
                kind,
                "QuantileDqn",
                "quantiles of the return of actions, chosen by their mean or their tail",
                node -> dqn(DqnComponents.quantile(node), DqnComponents::quantileConfig))));
  }

  private static <O extends Observation> AgentSpec.Maker<O> rule(Policy<O> policy) {
    return (_, _) -> new RuleSpec<>(policy);
  }

  private static <O extends Observation> AgentSpec.Maker<O> ppo(
      LearningSettings settings, boolean isQlib) {
    var config = PpoComponents.config(settings, isQlib);
    return (network, context) ->
        new PpoSpec<>(
            required(settings, network),
            isQlib
                ? new Categorical(choices(settings, context.actions()))
                : HeadComponents.distribution(settings, config, context.actions()),
            config,
            settings.weightFile());
  }

  private static <O extends Observation> AgentSpec.Maker<O> sac(LearningSettings settings) {
    var config = SacComponents.config(settings);
    return (network, context) ->
        new SacSpec<>(
            required(settings, network),
            HeadComponents.gaussian(settings, config.invalidActions(), context.actions()),
            config,
            settings.weightFile());
  }

  private static <O extends Observation> AgentSpec.Maker<O> dqn(
      LearningSettings settings, Function<LearningSettings, DqnConfig> reader) {
    DqnConfig config = reader.apply(settings);
    return (network, context) ->
        new DqnSpec<>(
            required(settings, network),
            choices(settings, context.actions()),
            config,
            settings.weightFile());
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
