package io.tranche.execution;

import io.tranche.backtest.Frictions;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;

/// The settings of a [SimpleSimulator].
///
/// @param minutesPerStep from one decision to the next. Qlib: `ticks_per_step`
/// @param minutesPerTick the width of a bar; divides `minutesPerStep`. Qlib: `data_granularity`
/// @param frictions what keeps a requested volume from being filled at the deal price
public record SimpleSimulatorConfig(
    int minutesPerStep, int minutesPerTick, Frictions frictions, Dialect dialect)
    implements SimulatorSetup {

  /// A decision every half hour of 1-minute bars, without frictions.
  public static final SimpleSimulatorConfig DEFAULT =
      new SimpleSimulatorConfig(30, 1, Frictions.NONE, Dialect.NATIVE);

  public SimpleSimulatorConfig {
    if (minutesPerTick < 1) {
      throw new IllegalArgumentException("minutesPerTick must be positive, was " + minutesPerTick);
    }
    if (minutesPerStep < 1 || minutesPerStep % minutesPerTick != 0) {
      throw new IllegalArgumentException(
          "minutesPerStep must be a positive multiple of %d, was %d"
              .formatted(minutesPerTick, minutesPerStep));
    }
  }

  /// Returns the number of bars in a step.
  public int ticksPerStep() {
    return minutesPerStep / minutesPerTick;
  }

  public SimpleSimulatorConfig withMinutesPerStep(int minutes) {
    return new SimpleSimulatorConfig(minutes, minutesPerTick, frictions, dialect);
  }

  public SimpleSimulatorConfig withFrictions(Frictions parts) {
    return new SimpleSimulatorConfig(minutesPerStep, minutesPerTick, parts, dialect);
  }

  public SimpleSimulatorConfig withDialect(Dialect switches) {
    return new SimpleSimulatorConfig(minutesPerStep, minutesPerTick, frictions, switches);
  }

  public SimpleSimulatorConfig withMinutesPerTick(int minutes) {
    return new SimpleSimulatorConfig(minutesPerStep, minutes, frictions, dialect);
  }

  @Override
  public SimulatorFactory over(TickSource ticks) {
    return new SimulatorFactory(this, ticks);
  }
}
