package io.tranche.execution;

import io.tranche.backtest.Frictions;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import java.util.HashSet;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The settings of a [SimpleSimulator].
///
/// @param minutesPerStep from one decision to the next. Qlib: `ticks_per_step`
/// @param minutesPerTick the width of a bar; divides `minutesPerStep`. Qlib: `data_granularity`
/// @param frictions what keeps a requested volume from being filled at the deal price
/// @param fields the user's own metrics, in addition to the built-in ones
public record SimpleSimulatorConfig(
    int minutesPerStep,
    int minutesPerTick,
    Frictions frictions,
    Dialect dialect,
    List<MetricField> fields)
    implements SimulatorSetup {

  /// A decision every half hour of 1-minute bars, without frictions.
  public static final SimpleSimulatorConfig DEFAULT =
      new SimpleSimulatorConfig(30, 1, Frictions.NONE, Dialect.NATIVE, List.of());

  public SimpleSimulatorConfig {
    if (minutesPerTick < 1) {
      throw new IllegalArgumentException("minutesPerTick must be positive, was " + minutesPerTick);
    }
    if (minutesPerStep < 1 || minutesPerStep % minutesPerTick != 0) {
      throw new IllegalArgumentException(
          "minutesPerStep must be a positive multiple of %d, was %d"
              .formatted(minutesPerTick, minutesPerStep));
    }
    fields = List.copyOf(fields);
    var names = new HashSet<String>();
    for (MetricField field : fields) {
      if (!names.add(field.name())) {
        throw new IllegalArgumentException("fields must differ, was twice " + field.name());
      }
    }
  }

  /// Returns the number of bars in a step.
  public int ticksPerStep() {
    return minutesPerStep / minutesPerTick;
  }

  public SimpleSimulatorConfig withMinutesPerStep(int minutes) {
    return new SimpleSimulatorConfig(minutes, minutesPerTick, frictions, dialect, fields);
  }

  public SimpleSimulatorConfig withFrictions(Frictions parts) {
    return new SimpleSimulatorConfig(minutesPerStep, minutesPerTick, parts, dialect, fields);
  }

  public SimpleSimulatorConfig withDialect(Dialect switches) {
    return new SimpleSimulatorConfig(minutesPerStep, minutesPerTick, frictions, switches, fields);
  }

  public SimpleSimulatorConfig withFields(MetricField... own) {
    return new SimpleSimulatorConfig(
        minutesPerStep, minutesPerTick, frictions, dialect, List.of(own));
  }

  @Override
  public SimulatorFactory over(TickSource ticks) {
    return new SimulatorFactory(this, ticks);
  }

  /// A user-defined field in the metrics of an order; it appears in logs and files.
  ///
  /// @param name its key in logs and files
  /// @param value computes it from the finished order's state, whose metrics have all other fields
  public record MetricField(String name, ToDoubleFunction<ExecutionState> value) {

    public MetricField {
      if (name.isBlank()) {
        throw new IllegalArgumentException("name must not be blank, was '" + name + "'");
      }
    }
  }
}
