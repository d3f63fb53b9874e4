package io.tranche.execution;

import io.tranche.backtest.Frictions;
import java.util.HashSet;
import java.util.List;

/// What a [SimpleSimulator] is to be like.
///
/// @param ticksPerStep minutes from one decision to the next (Qlib's name, whatever the bars)
/// @param dataGranularity minutes a bar; divides `ticksPerStep`
/// @param frictions what stands between a wanted volume and its fills
/// @param fields the user's own metrics, beside the usual ones
public record SimpleSimulatorConfig(
    int ticksPerStep,
    int dataGranularity,
    Frictions frictions,
    Dialect dialect,
    List<MetricField> fields)
    implements SimulatorSetup {

  /// A decision every half hour of 1-minute bars, without frictions.
  public static final SimpleSimulatorConfig DEFAULT =
      new SimpleSimulatorConfig(30, 1, Frictions.NONE, Dialect.NATIVE, List.of());

  public SimpleSimulatorConfig {
    if (dataGranularity < 1) {
      throw new IllegalArgumentException(
          "dataGranularity must be positive, was " + dataGranularity);
    }
    if (ticksPerStep < 1 || ticksPerStep % dataGranularity != 0) {
      throw new IllegalArgumentException(
          "ticksPerStep must be a positive multiple of %d, was %d"
              .formatted(dataGranularity, ticksPerStep));
    }
    fields = List.copyOf(fields);
    var names = new HashSet<String>();
    for (MetricField field : fields) {
      if (!names.add(field.name())) {
        throw new IllegalArgumentException("fields must differ, was twice " + field.name());
      }
    }
  }

  /// Returns how many bars a step has.
  public int rowsPerStep() {
    return ticksPerStep / dataGranularity;
  }

  public SimpleSimulatorConfig withTicksPerStep(int minutes) {
    return new SimpleSimulatorConfig(minutes, dataGranularity, frictions, dialect, fields);
  }

  public SimpleSimulatorConfig withFrictions(Frictions parts) {
    return new SimpleSimulatorConfig(ticksPerStep, dataGranularity, parts, dialect, fields);
  }

  public SimpleSimulatorConfig withDialect(Dialect switches) {
    return new SimpleSimulatorConfig(ticksPerStep, dataGranularity, frictions, switches, fields);
  }

  public SimpleSimulatorConfig withFields(MetricField... own) {
    return new SimpleSimulatorConfig(
        ticksPerStep, dataGranularity, frictions, dialect, List.of(own));
  }

  @Override
  public SimulatorFactory over(TickSource ticks) {
    return new SimulatorFactory(this, ticks);
  }
}
