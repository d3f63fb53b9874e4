package io.tranche.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.synthetic.SyntheticConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Compares streamed days with whole ones.
public final class Streaming {

  private Streaming() {}

  public static SyntheticConfig embedded(Frequency frequency, int days) {
    return SyntheticConfig.DEFAULT
        .withSeed(5)
        .withSize(3, days)
        .withBars(SyntheticConfig.DEFAULT.session(), frequency)
        .withIncidents(new SyntheticConfig.Incidents(0.1, 0.1, 0.2, 0.02));
  }

  /// Streams a day, saved and restored at a random tick, and compares each row with the batch's.
  public static void assertEqualsBatch(
      FeatureRecipe recipe,
      FeatureSource batch,
      BarSource bars,
      String instrument,
      int day,
      long seed) {
    BarSeries series = bars.series(instrument);
    Calendar calendar = series.calendar();
    DayFeatures expected = batch.day(instrument, calendar.date(day));
    int width = recipe.columns().today().size();
    int ticks = expected.ticks();
    int saved = new SplittableRandom(seed).nextInt(ticks + 1);
    float[] bar = new float[recipe.fields().size() + 1];
    float[] row = new float[width + 2];
    long[] times = new long[ticks]; // a short day may have the ticks of a whole one
    Arrays.setAll(times, expected::time);
    LiveFeatures live =
        recipe.open(
            instrument,
            expected.date(),
            times,
            calendar.plannedTicks(),
            ComputedFeatures.earlier(series, day, day));
    int present = calendar.dayEnd(day) - calendar.dayStart(day);
    for (int tick = 0; tick < present; tick++) {
      if (tick == saved) {
        live = restored(recipe, bytes(live));
      }
      for (int field = 0; field < recipe.fields().size(); field++) {
        bar[1 + field] =
            series.value(
                series.fieldIndex(recipe.fields().get(field)),
                calendar.dayStart(day) + tick - series.firstBar());
      }
      Arrays.fill(row, 77);
      live.append(bar, 1, row, 1);

      assertThat(live.ticks()).isEqualTo(tick + 1);
      float[] wanted = new float[width + 2];
      Arrays.fill(wanted, 77);
      expected.copyToday(tick, 1, wanted, 1);
      assertThat(row).as("day %d, tick %d", day, tick).containsExactly(wanted);
    }
    float[] yesterday = new float[ticks * recipe.columns().yesterday().size()];
    expected.copyYesterday(0, ticks, yesterday, 0);
    assertThat(live.yesterday()).as("yesterday of day %d", day).containsExactly(yesterday);
  }

  public static LiveFeatures open(FeatureRecipe recipe, BarSeries series, int day) {
    Calendar calendar = series.calendar();
    return recipe.open(
        series.instrument(),
        calendar.date(day),
        calendar.times(calendar.dayStart(day), calendar.dayEnd(day)),
        calendar.plannedTicks(),
        ComputedFeatures.earlier(series, day, day));
  }

  public static void appendAll(LiveFeatures live, int ticks, float[] bar, float[] row) {
    for (int tick = 0; tick < ticks; tick++) {
      Arrays.fill(bar, tick % 7 == 3 ? Float.NaN : 10 + tick % 5);
      live.append(bar, 0, row, 0);
    }
  }

  static byte[] bytes(LiveFeatures live) {
    var bytes = new ByteArrayOutputStream();
    try {
      live.save(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static LiveFeatures restored(FeatureRecipe recipe, byte[] bytes) {
    try {
      return restore(recipe, bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static LiveFeatures restore(FeatureRecipe recipe, byte[] bytes) throws IOException {
    return recipe.restore(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  /// A shorter input is refused, and none that is changed does anything but be refused or read.
  public static void assertRefusesDamage(FeatureRecipe recipe, LiveFeatures live) {
    byte[] bytes = bytes(live);
    for (int length = 0; length < bytes.length; length += length < 64 ? 1 : 7) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> restore(recipe, cut)).isInstanceOf(IOException.class);
    }
    var random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      byte[] changed = bytes.clone();
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        int place = random.nextInt(random.nextBoolean() ? changed.length : 40);
        changed[place] = (byte) (random.nextBoolean() ? random.nextInt() : -1 - changed[place]);
      }
      try {
        restore(recipe, changed);
      } catch (IOException e) {
        assertThat(e.getMessage()).isNotEqualTo("");
      }
    }
  }

  /// Takes single values and whole days of `bars` away.
  public static BarSource damaged(BarSource bars, String instrument, SplittableRandom random) {
    BarSeries series = bars.series(instrument);
    float[][] columns = new float[series.fields().size()][series.size()];
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
      for (int row = 0; row < series.size(); row++) {
        if (random.nextInt(20) == 0) {
          columns[field][row] = Float.NaN;
        }
      }
    }
    Calendar calendar = series.calendar();
    for (int day = series.firstDay(); day < series.endDay(); day++) {
      int from = calendar.dayStart(day) - series.firstBar();
      int to = calendar.dayEnd(day) - series.firstBar();
      int kept = random.nextInt(4) > 0 ? to : from + random.nextInt(to - from);
      for (float[] column : columns) {
        Arrays.fill(column, kept, to, Float.NaN);
      }
    }
    return source(
        BarSeries.wrap(instrument, calendar, series.firstDay(), series.fields(), columns));
  }

  /// Gives `bars` a first and a last bar: without them a pipeline leaves the instrument out.
  public static BarSource kept(BarSource bars, String instrument) {
    BarSeries series = bars.series(instrument);
    float[][] columns = new float[series.fields().size()][series.size()];
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
      columns[field][0] = 12;
      columns[field][series.size() - 1] = 13;
    }
    return source(
        BarSeries.wrap(instrument, series.calendar(), series.firstDay(), series.fields(), columns));
  }

  /// Returns a series without other fields: a bar that has none of these is missing then.
  public static BarSeries only(List<String> fields, BarSeries series) {
    float[][] columns = new float[fields.size()][series.size()];
    for (int i = 0; i < columns.length; i++) {
      series.copy(series.fieldIndex(fields.get(i)), 0, columns[i], 0, series.size());
    }
    return BarSeries.wrap(
        series.instrument(), series.calendar(), series.firstDay(), fields, columns);
  }

  private static BarSource source(BarSeries series) {
    return new BarSource() {
      @Override
      public Calendar calendar() {
        return series.calendar();
      }

      @Override
      public List<String> instruments() {
        return List.of(series.instrument());
      }

      @Override
      public List<String> fields() {
        return series.fields();
      }

      @Override
      public BarSeries series(String code) {
        return series;
      }
    };
  }
}
