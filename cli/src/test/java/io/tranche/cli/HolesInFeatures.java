package io.tranche.cli;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import java.time.LocalDate;
import java.util.List;

/// Features of one column that is NaN for SYN0001 at one tick of each day.
public final class HolesInFeatures implements ComponentProvider {

  private static final int TICKS = 48;
  private static final int HOLE = 7;

  @Override
  public List<Component<?>> components() {
    return List.of(Component.of(FeatureSource.class, "HolesInFeatures", "NaN", _ -> new Source()));
  }

  private static final class Source implements FeatureSource {

    private static final FeatureColumns COLUMNS =
        new FeatureColumns(List.of("value"), List.of("value_1"));

    @Override
    public FeatureColumns columns() {
      return COLUMNS;
    }

    @Override
    public DayFeatures day(String instrument, LocalDate date) {
      long[] times = new long[TICKS];
      float[] today = new float[TICKS];
      long midnight = date.toEpochDay() * 86_400;
      for (int tick = 0; tick < TICKS; tick++) {
        int minutes = 5 * tick + (tick < TICKS / 2 ? 0 : 90);
        times[tick] = midnight + 9 * 3600 + (30 + minutes) * 60L;
      }
      today[HOLE] = instrument.equals("SYN0001") ? Float.NaN : 0;
      return DayFeatures.wrap(instrument, date, COLUMNS, times, today, new float[TICKS]);
    }
  }
}
