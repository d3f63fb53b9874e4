package io.tranche.trainer.callback;

import io.tranche.config.ConfigException;
import io.tranche.config.NearestName;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.util.List;

/// Ends a run at its first validation if that has no metric of the name that the configuration
/// compares validations by. Which metrics there are is known only then: users add their own.
public record MonitorCheck(String monitor) implements Callback {

  @Override
  public void on(Hook hook, Trainer trainer) {
    if (hook == Hook.VALIDATE_END && !trainer.metrics().containsKey(monitor)) {
      List<String> names =
          trainer.metrics().keySet().stream().filter(name -> name.startsWith("val/")).toList();
      throw new ConfigException(
          "validation.monitor", NearestName.choices("a metric", monitor, names), monitor);
    }
  }
}
