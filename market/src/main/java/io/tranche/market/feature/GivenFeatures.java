package io.tranche.market.feature;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;

/// Features that are computed elsewhere and come with each bar, one value per column of today.
///
/// Yesterday's features are the fields of the last earlier day with the names of the columns;
/// without an earlier day they are 0.
public record GivenFeatures(FeatureColumns columns) implements FeatureRecipe {

  public static final String KIND = "given";

  public static GivenFeatures from(ConfigNode node) {
    node.rejectUnknown(List.of(FeatureRecipe.KIND, "today", "yesterday"));
    return new GivenFeatures(
        new FeatureColumns(node.required("today").asTexts(), node.required("yesterday").asTexts()));
  }

  @Override
  public ConfigNode toConfig() {
    var values = new LinkedHashMap<String, Object>();
    values.put(FeatureRecipe.KIND, KIND);
    values.put("today", columns.today());
    values.put("yesterday", columns.yesterday());
    return ConfigFiles.of("features", values);
  }

  @Override
  public List<String> fields() {
    return columns.today().stream().map(GivenFeatures::field).toList();
  }

  private static String field(String column) {
    return column.startsWith("$") ? column.substring(1) : column;
  }

  @Override
  public int earlierDays() {
    return columns.yesterday().isEmpty() ? 0 : 1;
  }

  @Override
  public LiveFeatures open(
      String instrument, LocalDate date, long[] times, int plannedTicks, List<DayFrame> earlier) {
    float[] yesterday = new float[times.length * columns.yesterday().size()];
    if (!earlier.isEmpty() && yesterday.length > 0) {
      copyYesterday(earlier.getLast(), times.length, yesterday);
    }
    return new Rows(columns.today().size(), times.length, 0, yesterday);
  }

  private void copyYesterday(DayFrame day, int ticks, float[] target) {
    int width = columns.yesterday().size();
    for (int column = 0; column < width; column++) {
      String name = field(columns.yesterday().get(column));
      int field = day.fieldIndex(name);
      if (field < 0) {
        throw new DataException(
            "%s %s".formatted(day.instrument(), day.date()), "a field " + name, day.fields());
      }
      for (int tick = 0; tick < Math.min(ticks, day.ticks()); tick++) {
        float value = day.value(field, tick);
        target[tick * width + column] = Float.isNaN(value) ? 0 : value;
      }
    }
  }

  @Override
  public LiveFeatures restore(DataInput in) throws IOException {
    int maxTicks = in.readInt();
    int ticks = in.readInt();
    if (maxTicks < 0 || maxTicks > Rows.MOST_TICKS || ticks < 0 || ticks > maxTicks) {
      throw new IOException(
          "ticks must be within the day's, was %d of %d".formatted(ticks, maxTicks));
    }
    float[] yesterday = new float[maxTicks * columns.yesterday().size()];
    for (int i = 0; i < yesterday.length; i++) {
      yesterday[i] = in.readFloat();
    }
    return new Rows(columns.today().size(), maxTicks, ticks, yesterday);
  }

  private static final class Rows implements LiveFeatures {

    /// Ticks of one second each.
    private static final int MOST_TICKS = 86_400;

    private final int width;
    private final int maxTicks;
    private final float[] yesterday;
    private int ticks;

    Rows(int width, int maxTicks, int ticks, float[] yesterday) {
      this.width = width;
      this.maxTicks = maxTicks;
      this.ticks = ticks;
      this.yesterday = yesterday;
    }

    @Override
    public int ticks() {
      return ticks;
    }

    /// A missing value becomes 0, the mean of normalised values.
    @Override
    public void append(float[] bar, int barAt, float[] row, int rowAt) {
      if (ticks == maxTicks) {
        throw new IllegalStateException("day must not be over, was at tick " + ticks);
      }
      for (int i = 0; i < width; i++) {
        float value = bar[barAt + i];
        row[rowAt + i] = Float.isNaN(value) ? 0 : value;
      }
      ticks++;
    }

    @Override
    public float[] yesterday() {
      return yesterday;
    }

    @Override
    public void save(DataOutput out) throws IOException {
      out.writeInt(maxTicks);
      out.writeInt(ticks);
      for (float value : yesterday) {
        out.writeFloat(value);
      }
    }
  }
}
