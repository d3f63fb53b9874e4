package @PACKAGE@;

import io.tranche.backtest.executor.Strategy;
import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.execution.PolicyStrategy;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.VolumeInterpreter;
import java.util.List;

/// The names of this project's parts, with their settings. META-INF/services lists this class.
public final class Components implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            ExecutionCatalog.REWARD,
            "EarlyReward",
            "the advantage over TWAP, less a charge for what remains",
            settings -> new EarlyReward(settings.doubleOr("hurry", 0.001))),
        Component.of(
            Strategy.Factory.class,
            "FirstHalf",
            "evenly over the first half of the window",
            settings ->
                PolicyStrategy.Parts.of(
                    new FirstHalf(),
                    new DecisionInterpreter(),
                    new VolumeInterpreter(),
                    settings.countOr("minutes_per_bar", 1),
                    false)));
  }
}
