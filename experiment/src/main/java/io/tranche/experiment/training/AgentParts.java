package io.tranche.experiment.training;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.Space;
import io.tranche.execution.catalog.OrderExecutionSpec;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.Network;
import org.jspecify.annotations.Nullable;

/// What an agent is made of: its problem and its network. Any process that can open the same data
/// makes the same parts of the same settings.
///
/// @param network null if there is none
/// @param settings what they were made of
/// @param <O> what the agent sees
public record AgentParts<O extends Observation>(
    OrderExecutionSpec<O> environment,
    Network.@Nullable Factory<O> network,
    AgentSettings settings) {

  /// Makes the parts in a process that was told the settings by another.
  static AgentParts<?> open(byte[] setup) {
    AgentSettings settings = AgentSettings.read(setup);
    ConfigNode network = settings.network();
    try {
      return network == null ? withoutNetwork(settings) : withNetwork(settings, network);
    } catch (DataException e) {
      throw DataException.madeElsewhere(
          "all data must be under the same names wherever the work is done: " + e.getMessage());
    }
  }

  /// Makes the parts of an agent without a network.
  ///
  /// @throws ConfigException if a component is unknown, or wrong
  public static AgentParts<?> withoutNetwork(AgentSettings settings) {
    return withoutNetwork(OrderExecutionSpec.from(settings.environment()), settings);
  }

  private static <O extends Observation> AgentParts<O> withoutNetwork(
      OrderExecutionSpec<O> environment, AgentSettings settings) {
    return new AgentParts<>(environment, null, settings);
  }

  /// Makes the parts of an agent with a network, which looks at the whole day.
  ///
  /// @throws ConfigException if a component is unknown, or wrong, or not for networks
  @SuppressWarnings("unchecked") // what the interpreter is tells what it shows
  public static AgentParts<FullHistoryObservation> withNetwork(
      AgentSettings settings, ConfigNode network) {
    OrderExecutionSpec<?> environment = OrderExecutionSpec.from(settings.environment());
    if (!(environment.problem().stateInterpreter() instanceof FullHistoryInterpreter)) {
      throw new ConfigException(
          network.where(),
          "a state_interpreter that shows the full history, or no network",
          environment.problem().stateInterpreter().getClass().getSimpleName());
    }
    var seen = (OrderExecutionSpec<FullHistoryObservation>) environment;
    return new AgentParts<>(seen, PolicyCatalog.network(network, features(seen)), settings);
  }

  /// Returns how many features a tick has.
  public int features() {
    return features(environment);
  }

  private static int features(OrderExecutionSpec<?> environment) {
    return box(environment, "data_processed").shape().getLast();
  }

  /// Returns how many decisions an episode has at most.
  public int maxSteps() {
    return (int) box(environment, "num_step").low();
  }

  private static Space.Box box(OrderExecutionSpec<?> environment, String key) {
    if (environment.problem().stateInterpreter().observationSpace() instanceof Space.Dict(var keys)
        && keys.get(key) instanceof Space.Box box) {
      return box;
    }
    throw new IllegalStateException("observations must have " + key);
  }

  /// Returns what makes the agent, and what improves it.
  public AgentSpec<O> agent() {
    return PolicyCatalog.agent(
        settings.policy(), network, environment.problem().actionInterpreter().actionSpace());
  }
}
