package io.tranche.execution.catalog;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.TeacherPermit;
import io.tranche.market.Order;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The order-execution problem, put together from the names in a configuration. Any process that
/// can open the same folders makes the same problem of it.
///
/// @param <O> the observation
public final class OrderExecutionSpec<O extends Observation> {

  private static final String HINDSIGHT = "hindsight";
  private static final List<String> KEYS =
      List.of("ticks", "simulator", "state_interpreter", "action_interpreter", "reward", HINDSIGHT);

  private final Problem<Order, ExecutionState, ChildOrder, O> problem;

  private OrderExecutionSpec(
      ConfigNode settings, StateInterpreter<ExecutionState, O> stateInterpreter) {
    this.problem =
        new Problem<>(
            ExecutionCatalog.simulators()
                .withInstalled()
                .make(part(settings, "simulator"))
                .over(ExecutionCatalog.tickSources().withInstalled().make(part(settings, "ticks"))),
            stateInterpreter,
            ExecutionCatalog.actionInterpreters()
                .withInstalled()
                .make(part(settings, "action_interpreter")),
            reward(settings));
  }

  /// Makes the problem that `settings` describe.
  ///
  /// @throws ConfigException if a part is missing, unknown or wrong
  public static OrderExecutionSpec<?> from(ConfigNode settings) {
    settings.rejectUnknown(KEYS);
    StateInterpreter<ExecutionState, ?> states =
        ExecutionCatalog.stateInterpreters()
            .withInstalled()
            .make(part(settings, "state_interpreter"));
    if (settings.booleanOr(HINDSIGHT, false)) {
      return over(settings, inHindsight(states, settings.required(HINDSIGHT)));
    }
    return over(settings, states);
  }

  private static FullHistoryInterpreter inHindsight(
      StateInterpreter<ExecutionState, ?> states, ConfigNode hindsight) {
    if (states instanceof FullHistoryInterpreter history) {
      return history.inHindsight(new TeacherPermit("a teacher's run"));
    }
    throw hindsight.wrong("false, or a state_interpreter that shows the full history");
  }

  private static <O extends Observation> OrderExecutionSpec<O> over(
      ConfigNode settings, StateInterpreter<ExecutionState, O> stateInterpreter) {
    return new OrderExecutionSpec<>(settings, stateInterpreter);
  }

  private static ComponentSpec part(ConfigNode settings, String key) {
    return ComponentSpec.from(settings.required(key));
  }

  private static @Nullable Reward<ExecutionState> reward(ConfigNode settings) {
    ConfigNode reward = Settings.optional(settings, "reward");
    return reward == null
        ? null
        : ExecutionCatalog.rewards().withInstalled().make(ComponentSpec.from(reward));
  }

  public Problem<Order, ExecutionState, ChildOrder, O> problem() {
    return problem;
  }
}
