package io.tranche.env;

import io.tranche.config.ConfigNode;
import io.tranche.env.space.Action;
import java.util.Arrays;
import java.util.List;

/// Always takes the same action. Where action 1 means the TWAP rate, 1 gives TWAP. Qlib: `AllOne`.
///
/// @param <O> any observation, which it ignores
public record AllOne<O extends Observation>(Action action) implements Policy<O> {

  /// Reads the action from settings. As in numpy, a whole number is a choice, any other a quantity.
  ///
  /// @param <O> any observation, which it ignores
  public static <O extends Observation> AllOne<O> from(ConfigNode settings) {
    settings.rejectUnknown(List.of("fill_value"));
    ConfigNode fill = settings.optional("fill_value");
    Action action;
    if (fill == null) {
      action = new Action.Continuous(1);
    } else if (fill.scalar() instanceof Long) {
      action = new Action.Discrete(fill.asInt());
    } else {
      action = new Action.Continuous(fill.asDouble());
    }
    return new AllOne<>(action);
  }

  @Override
  public Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
    var actions = new Action[observations.size()];
    Arrays.fill(actions, action);
    return actions;
  }
}
