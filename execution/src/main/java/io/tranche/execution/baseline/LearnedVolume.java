package io.tranche.execution.baseline;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.cache.RecentCache;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.volume.VolumeForecast;
import java.time.LocalDate;

/// The volume that a [VolumeForecast] expects, given the earlier days and what has traded today.
/// Each day's forecast is fitted to the days before it only.
public final class LearnedVolume implements VolumeCurve {

  private static final int DAYS_KEPT = 512;

  private record Key(String instrument, LocalDate date) {}

  private final CachedBars bars;
  private final RecentCache<Key, VolumeForecast> forecasts;

  /// @param bars stays open; the caller closes it
  /// @throws DataException if the bars have no volumes
  public LearnedVolume(BarSource bars) {
    VolumeHistory.requireVolumes(bars);
    this.bars = CachedBars.byMemory(bars);
    this.forecasts = new RecentCache<>(DAYS_KEPT, this::fit);
  }

  private VolumeForecast fit(Key key) {
    BarSeries series = bars.series(key.instrument);
    int day = series.calendar().dayOf(key.date);
    return VolumeForecast.fit(
        ComputedFeatures.earlier(series, day, VolumeForecast.DAYS).stream()
            .filter(DayFrame::hasBars)
            .toList());
  }

  @Override
  public double usual(DecisionView view, int from, int to) {
    if (from >= to) {
      return 0;
    }
    String instrument = view.order().instrument();
    Calendar calendar = bars.series(instrument).calendar();
    LocalDate date = VolumeHistory.date(view, calendar);
    VolumeForecast forecast = forecasts.get(new Key(instrument, date));
    if (!forecast.isKnown()) {
      return 0;
    }
    long open = view.time(0);
    double[] seen = new double[forecast.ticks()];
    int now = 0;
    for (int tick = 0; tick < view.tick(); tick++) {
      int at = forecast.tick(view.time(tick), date, open);
      seen[at] += view.volume(tick);
      now = at + 1;
    }
    int first = Math.max(now, forecast.tick(view.time(from), date, open));
    int end = forecast.tick(view.time(to - 1), date, open) + 1;
    return forecast.between(seen, now, first, end);
  }
}
