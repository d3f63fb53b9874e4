package io.tranche.work.judge;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.DayCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.MarketIndex;
import io.tranche.market.feature.provider.ComputedFeatures;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;

/// The features of whole days by the recipe of a bundle, bar by bar as they are computed live.
///
/// @param bars stay open; the caller closes them
record RecipeFeatures(FeatureRecipe recipe, CachedBars bars) {

  private static final int SERIES_KEPT = 64;
  private static final int DAYS_KEPT = 1024;

  static FeatureSource of(FeatureRecipe recipe, BarSource bars) {
    var features =
        new RecipeFeatures(
            recipe, new CachedBars(MarketIndex.completed(bars, recipe.fields()), SERIES_KEPT));
    return new DayCache(recipe.columns(), DAYS_KEPT, features::compute, () -> recipe);
  }

  private DayFeatures compute(String instrument, LocalDate date) {
    BarSeries series = bars.series(instrument);
    Calendar calendar = series.calendar();
    int day = calendar.dayOf(date);
    DayFrame frame = day < 0 ? null : series.day(day);
    if (frame == null) {
      return DayFeatures.wrap(
          instrument, date, recipe.columns(), new long[0], new float[0], new float[0]);
    }
    long[] times = calendar.times(calendar.dayStart(day), calendar.dayEnd(day));
    List<DayFrame> earlier = ComputedFeatures.earlier(series, day, recipe.earlierDays());
    LiveFeatures live = recipe.open(instrument, date, times, calendar.plannedTicks(), earlier);
    int width = recipe.columns().today().size();
    int[] fields = recipe.fields().stream().mapToInt(frame::fieldIndex).toArray();
    float[] today = new float[times.length * width];
    float[] bar = new float[fields.length];
    for (int tick = 0; tick < times.length; tick++) {
      Arrays.fill(bar, Float.NaN);
      if (tick < frame.ticks() && !frame.isMissing(tick)) {
        for (int i = 0; i < fields.length; i++) {
          bar[i] = frame.value(fields[i], tick);
        }
      }
      live.append(bar, 0, today, tick * width);
    }
    return DayFeatures.wrap(
        instrument, date, recipe.columns(), times, today, live.yesterday().clone());
  }
}
