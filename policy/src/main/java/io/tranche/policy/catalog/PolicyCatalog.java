package io.tranche.policy.catalog;

import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.env.AllOne;
import io.tranche.env.DayObservation;
import io.tranche.env.Observation;
import io.tranche.policy.learn.Untrained;
import io.tranche.policy.network.Network;
import java.util.List;

/// The catalogs of what learns: under Qlib's names what behaves as Qlib does, quirks included,
/// under native names, those of the classes, what is sound.
public final class PolicyCatalog {

  static final List<String> QLIB_POLICIES =
      List.of("qlib.rl.order_execution.policy", "qlib.rl.order_execution");

  private PolicyCatalog() {}

  @SuppressWarnings("unchecked") // a class object cannot say its type's parameters
  private static <T> Class<T> kind(Class<?> raw) {
    return (Class<T>) raw;
  }

  /// Returns the kind of thing that [#networks] has.
  ///
  /// @param <O> the observation
  public static <O extends Observation> Class<Network.Factory<O>> network() {
    return kind(Network.Factory.class);
  }

  /// Returns the kind of thing that [#algorithms] has.
  ///
  /// @param <O> the observation
  public static <O extends Observation> Class<AlgorithmSetup<O>> algorithm() {
    return kind(AlgorithmSetup.class);
  }

  /// Returns the networks.
  ///
  /// @param dataWidth how many features a tick has
  /// @param <O> the observation
  public static <O extends DayObservation> Catalog<Network.Factory<O>> networks(int dataWidth) {
    return Catalog.of(network(), NetworkComponents.all(dataWidth));
  }

  /// Returns the algorithms, and `AllOne`, which has nothing to learn.
  ///
  /// @param <O> the observation
  public static <O extends Observation> Catalog<AlgorithmSetup<O>> algorithms(
      AlgorithmContext<O> context) {
    Class<AlgorithmSetup<O>> kind = algorithm();
    return Catalog.of(
        kind,
        List.of(
            new Component<>(
                kind,
                "PPO",
                QLIB_POLICIES,
                "proximal policy optimisation",
                settings -> PpoComponents.qlib(settings, context)),
            new Component<>(
                kind,
                "DQN",
                QLIB_POLICIES,
                "one step on all experience, values as probabilities, no exploration",
                settings -> DqnComponents.qlib(settings, context)),
            new Component<>(
                kind,
                "AllOne",
                QLIB_POLICIES,
                "always the same action",
                settings -> {
                  var policy = AllOne.<O>from(settings);
                  return new AlgorithmSetup<>(() -> new Untrained<>(policy), null);
                }),
            Component.of(
                kind,
                "Ppo",
                "proximal policy optimisation",
                settings -> PpoComponents.own(settings, context)),
            Component.of(
                kind,
                "Dqn",
                "values of actions, from replayed experience",
                settings -> DqnComponents.plain(settings, context)),
            Component.of(
                kind,
                "QuantileDqn",
                "quantiles of what actions bring, chosen by their mean or their tail",
                settings -> DqnComponents.quantile(settings, context))));
  }
}
