package io.tranche.execution.vector;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.config.ConfigNode;
import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.catalog.ExecutionCatalog;
import java.util.List;

/// Puts a reward into catalogs that misbehaves on one day of one instrument, in step 2.
public final class MischiefProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(ExecutionCatalog.REWARD, "Mischief", "pays nothing, or worse", this::from));
  }

  private Reward<ExecutionState> from(ConfigNode settings) {
    return new Mischief(
        settings.required("mode").asText(),
        settings.required("instrument").asText(),
        settings.required("date").asText());
  }

  /// @param mode `none`, `throw` or `halt`
  record Mischief(String mode, String instrument, String date) implements Reward<ExecutionState> {

    @Override
    public double reward(ExecutionState state, EnvContext context) {
      boolean here =
          state.order().instrument().equals(instrument)
              && state.order().date().toString().equals(date)
              && state.step() == 2;
      if (here && mode.equals("throw")) {
        throw new ArithmeticException("no price at " + state);
      }
      if (here && mode.equals("halt")) {
        Runtime.getRuntime().halt(3);
      }
      return state.stepAdvantageBps(state.step() - 1);
    }
  }
}
