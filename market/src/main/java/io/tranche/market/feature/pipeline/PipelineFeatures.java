package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.expression.evaluation.ExpressionStream;
import io.tranche.market.feature.Adjustment;
import io.tranche.market.feature.DayRule;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.LiveFrame;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Normalised expressions: what a [FeatureStore] holds for whole days.
///
/// Equal to the store as long as the earlier days hold what the pipeline saw: fills bridge a halt
/// of some weeks, but not longer. A bar counts as missing if it has none of [#fields].
///
/// @param dayLength bars per day, as expressions count them
/// @param hasWholeDays whether each earlier day is filled up to `dayLength` ticks, and days without
///   bars are left out
/// @param isAdjusted whether prices and volumes are adjusted by the bars' factor
public record PipelineFeatures(
    int dayLength,
    List<Normalised> today,
    List<Normalised> yesterday,
    boolean hasWholeDays,
    boolean isAdjusted)
    implements FeatureRecipe {

  static final String KIND = "pipeline";

  /// Fills reach back as far as there are bars: this many days, unless an expression needs more.
  private static final int FEWEST_DAYS = 30;

  /// A column: an expression and the statistics that normalise it.
  public record Normalised(String name, Expression expression, GroupStatistics statistics) {

    private Map<String, String> toMap() {
      var values = new LinkedHashMap<String, String>();
      values.put("name", name);
      values.put("expression", expression.text());
      values.put("group", statistics.name());
      return values;
    }
  }

  /// @throws IllegalArgumentException if `dayLength` is no number of bars, or two groups of one
  ///   name differ
  public PipelineFeatures {
    today = List.copyOf(today);
    yesterday = List.copyOf(yesterday);
    if (dayLength < 1 || dayLength > BarTime.SECONDS_A_DAY) {
      throw new IllegalArgumentException(
          "dayLength must be a number of bars per day, was " + dayLength);
    }
    groups(today, yesterday);
  }

  /// Days as they are, as in Qlib.
  public PipelineFeatures(int dayLength, List<Normalised> today, List<Normalised> yesterday) {
    this(dayLength, today, yesterday, false, false);
  }

  private static Map<String, GroupStatistics> groups(
      List<Normalised> today, List<Normalised> yesterday) {
    var groups = new LinkedHashMap<String, GroupStatistics>();
    for (Normalised column : Stream.concat(today.stream(), yesterday.stream()).toList()) {
      GroupStatistics statistics = column.statistics();
      GroupStatistics other = groups.putIfAbsent(statistics.name(), statistics);
      if (other != null && !other.equals(statistics)) {
        throw new IllegalArgumentException(
            "groups of one name must be equal, was %s and %s".formatted(other, statistics));
      }
    }
    return groups;
  }

  /// @throws ConfigException if something is missing or unknown
  static PipelineFeatures from(ConfigNode node) {
    node.rejectUnknown(
        List.of(
            FeatureRecipe.KIND,
            "day_length",
            "whole_days",
            "adjusted",
            "statistics",
            "today",
            "yesterday"));
    ConfigNode length = node.required("day_length");
    if (length.asInt() < 1 || length.asInt() > BarTime.SECONDS_A_DAY) {
      throw length.wrong("bars per day in [1, %d]".formatted(BarTime.SECONDS_A_DAY));
    }
    var groups = new LinkedHashMap<String, GroupStatistics>();
    for (GroupStatistics group : GroupStatistics.all(node.required("statistics"))) {
      groups.put(group.name(), group);
    }
    return new PipelineFeatures(
        length.asInt(),
        columns(node.required("today"), groups),
        columns(node.required("yesterday"), groups),
        node.booleanOr("whole_days", false),
        node.booleanOr("adjusted", false));
  }

  private static List<Normalised> columns(ConfigNode list, Map<String, GroupStatistics> groups) {
    var columns = new ArrayList<Normalised>();
    for (ConfigNode node : list.asList()) {
      node.rejectUnknown(List.of("name", "expression", "group"));
      ConfigNode group = node.required("group");
      GroupStatistics statistics = groups.get(group.asText());
      if (statistics == null) {
        throw group.wrong("one of " + groups.keySet());
      }
      columns.add(
          new Normalised(
              node.required("name").asText(),
              Expression.parse(node.required("expression").asText()),
              statistics));
    }
    return columns;
  }

  @Override
  public ConfigNode toConfig() {
    var statistics = new LinkedHashMap<String, Object>();
    groups(today, yesterday).forEach((name, group) -> statistics.put(name, group.toMap()));
    var values = new LinkedHashMap<String, Object>();
    values.put(FeatureRecipe.KIND, KIND);
    values.put("day_length", dayLength);
    if (hasWholeDays) {
      values.put("whole_days", true);
    }
    if (isAdjusted) {
      values.put("adjusted", true);
    }
    values.put("statistics", statistics);
    values.put("today", today.stream().map(Normalised::toMap).toList());
    values.put("yesterday", yesterday.stream().map(Normalised::toMap).toList());
    return ConfigFiles.of("features", values);
  }

  @Override
  public FeatureColumns columns() {
    return new FeatureColumns(
        today.stream().map(Normalised::name).toList(),
        yesterday.stream().map(Normalised::name).toList());
  }

  @Override
  public List<String> fields() {
    return Stream.concat(
            expressions().flatMap(expression -> expression.fields().stream()),
            isAdjusted ? Stream.of(Adjustment.FACTOR) : Stream.empty())
        .distinct()
        .toList();
  }

  /// Whether another has the same columns of the same fields.
  boolean isLike(PipelineFeatures other) {
    return columns().equals(other.columns()) && fields().equals(other.fields());
  }

  private Stream<Expression> expressions() {
    return Stream.concat(today.stream(), yesterday.stream()).map(Normalised::expression);
  }

  @Override
  public int earlierDays() {
    long bars = expressions().mapToLong(each -> each.extension().left()).max().orElse(0);
    return Math.clamp(Math.ceilDiv(bars, dayLength), FEWEST_DAYS, BarTime.SECONDS_A_DAY);
  }

  /// Returns the row from which on bars count: the first bar, or the first tick of its whole day.
  private int firstRow(LiveFrame day) {
    return hasWholeDays ? 0 : RawColumns.firstPresent(day.series());
  }

  private DayRule rule() {
    return new DayRule(hasWholeDays ? dayLength : 0, hasWholeDays, isAdjusted, false);
  }

  /// @throws ConfigException if a column of today needs later bars, or one of yesterday needs bars
  ///   of the day
  @Override
  public LiveFeatures open(
      String instrument, LocalDate date, long[] times, int plannedTicks, List<DayFrame> earlier) {
    if (hasWholeDays && times.length > dayLength) {
      throw new DataException(
          "%s on %s".formatted(instrument, date),
          "at most the %d ticks of the session that the features were made for"
              .formatted(dayLength),
          times.length);
    }
    return hasWholeDays
        ? new WholeDay(
            opened(instrument, date, LiveFrame.filledUp(times, dayLength), earlier),
            times.length,
            yesterday.size())
        : opened(instrument, date, times, earlier);
  }

  private LiveFeatures opened(
      String instrument, LocalDate date, long[] times, List<DayFrame> earlier) {
    today.forEach(column -> ExpressionStream.requireCausal(column.expression(), times.length));
    yesterday.forEach(column -> ExpressionStream.requireKnown(column.expression(), times.length));
    LiveFrame day =
        LiveFrame.open(
            instrument, fields(), date, times, times.length, earlier, earlierDays(), rule());
    ExpressionStream stream =
        ExpressionStream.open(
            today.stream().map(Normalised::expression).toList(),
            fields(),
            instrument,
            day.series().calendar(),
            RawColumns.fields(day.series(), firstRow(day), day.series().size()),
            firstRow(day));
    return stream == null
        ? new RecomputedRows(this, day)
        : new SteppedRows(this, stream, RecomputedRows.yesterday(this, day));
  }

  @Override
  public LiveFeatures restore(DataInput in) throws IOException {
    try {
      if (!hasWholeDays) {
        return restored(in);
      }
      int ticks = LiveFrame.within("ticks", in.readInt(), 1, dayLength);
      LiveFeatures whole = restored(in);
      LiveFrame.within("ticks so far", whole.ticks(), 0, ticks);
      LiveFrame.within(
          "rows of yesterday",
          whole.yesterday().length,
          ticks * yesterday.size(),
          Integer.MAX_VALUE);
      return new WholeDay(whole, ticks, yesterday.size());
    } catch (DataException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private LiveFeatures restored(DataInput in) throws IOException {
    return in.readBoolean() ? SteppedRows.restore(this, in) : RecomputedRows.restore(this, in);
  }

  /// The first ticks of a day that has all ticks of the session: what ends early is a day like
  /// others.
  private static final class WholeDay implements LiveFeatures {

    private final LiveFeatures whole;
    private final int maxTicks;
    private final float[] yesterday;

    WholeDay(LiveFeatures whole, int maxTicks, int width) {
      this.whole = whole;
      this.maxTicks = maxTicks;
      this.yesterday = Arrays.copyOf(whole.yesterday(), maxTicks * width);
    }

    @Override
    public int ticks() {
      return whole.ticks();
    }

    @Override
    public void append(float[] bar, int barAt, float[] row, int rowAt) {
      if (whole.ticks() == maxTicks) {
        throw new IllegalStateException("day must not be over, was at tick " + maxTicks);
      }
      whole.append(bar, barAt, row, rowAt);
    }

    @Override
    public float[] yesterday() {
      return yesterday;
    }

    @Override
    public void save(DataOutput out) throws IOException {
      out.writeInt(maxTicks);
      whole.save(out);
    }
  }

  /// The rows of a pipeline whose expressions can be computed tick by tick. Only the results of
  /// earlier days are kept.
  static final class SteppedRows implements LiveFeatures {

    private final ExpressionStream stream;
    private final GroupStatistics[] statistics;
    private final int maxTicks;
    private final float[] yesterday;
    private final @Nullable Adjustment adjustment;
    private final float[] adjusted;

    SteppedRows(PipelineFeatures recipe, ExpressionStream stream, float[] yesterday) {
      this.stream = stream;
      this.statistics =
          recipe.today().stream().map(Normalised::statistics).toArray(GroupStatistics[]::new);
      this.maxTicks = stream.ticks();
      this.yesterday = yesterday;
      this.adjustment = recipe.isAdjusted() ? Adjustment.of(recipe.fields()) : null;
      this.adjusted = new float[recipe.fields().size()];
    }

    static SteppedRows restore(PipelineFeatures recipe, DataInput in) throws IOException {
      int maxTicks = LiveFrame.within("ticks", in.readInt(), 1, LiveFrame.MOST_TICKS);
      ExpressionStream stream =
          ExpressionStream.restore(
              recipe.today().stream().map(Normalised::expression).toList(),
              recipe.fields(),
              maxTicks,
              in);
      float[] yesterday = new float[Math.multiplyExact(maxTicks, recipe.yesterday().size())];
      for (int i = 0; i < yesterday.length; i++) {
        yesterday[i] = in.readFloat();
      }
      return new SteppedRows(recipe, stream, yesterday);
    }

    @Override
    public int ticks() {
      return stream.tick();
    }

    @Override
    public void append(float[] bar, int barAt, float[] row, int rowAt) {
      if (adjustment == null) {
        stream.next(bar, barAt, row, rowAt);
      } else {
        System.arraycopy(bar, barAt, adjusted, 0, adjusted.length);
        adjustment.apply(adjusted, 0);
        stream.next(adjusted, 0, row, rowAt);
      }
      for (int i = 0; i < statistics.length; i++) {
        row[rowAt + i] = statistics[i].normalised(row[rowAt + i]);
      }
    }

    @Override
    public float[] yesterday() {
      return yesterday;
    }

    @Override
    public void save(DataOutput out) throws IOException {
      out.writeBoolean(true);
      out.writeInt(maxTicks);
      stream.save(out);
      for (float value : yesterday) {
        out.writeFloat(value);
      }
    }
  }

  /// The rows of a pipeline whose expressions need a whole window: it is evaluated again at each
  /// tick, with later bars missing. Correct for every expression, but slow.
  private static final class RecomputedRows implements LiveFeatures {

    private final PipelineFeatures recipe;
    private final LiveFrame day;
    private final ExpressionPlan plan;
    private final float[] yesterday;

    RecomputedRows(PipelineFeatures recipe, LiveFrame day) {
      this.recipe = recipe;
      this.day = day;
      this.plan = plan(recipe.today(), day);
      this.yesterday = yesterday(recipe, day);
    }

    static RecomputedRows restore(PipelineFeatures recipe, DataInput in) throws IOException {
      return new RecomputedRows(
          recipe, LiveFrame.restore(recipe.fields(), recipe.earlierDays(), recipe.rule(), in));
    }

    private static ExpressionPlan plan(List<Normalised> columns, LiveFrame day) {
      Calendar calendar = day.series().calendar();
      return new ExpressionPlan(
          calendar, columns.stream().map(Normalised::expression).toList(), 0, calendar.size() - 1);
    }

    /// Returns the columns of yesterday, ticks x columns.
    static float[] yesterday(PipelineFeatures recipe, LiveFrame day) {
      int begin = day.series().calendar().dayStart(day.number());
      int ticks = day.frame().ticks();
      int width = recipe.yesterday().size();
      float[] matrix = new float[ticks * width];
      float[][] columns =
          RawColumns.evaluate(plan(recipe.yesterday(), day), day.series(), recipe.firstRow(day))
              .columns();
      for (int tick = 0; tick < ticks; tick++) {
        for (int column = 0; column < width; column++) {
          matrix[tick * width + column] =
              recipe.yesterday().get(column).statistics().normalised(columns[column][begin + tick]);
        }
      }
      return matrix;
    }

    @Override
    public int ticks() {
      return day.ticks();
    }

    @Override
    public void append(float[] bar, int barAt, float[] row, int rowAt) {
      day.append(bar, barAt);
      int now = day.series().calendar().dayStart(day.number()) + day.ticks() - 1;
      float[][] columns = RawColumns.evaluate(plan, day.series(), recipe.firstRow(day)).columns();
      for (int i = 0; i < columns.length; i++) {
        row[rowAt + i] = recipe.today().get(i).statistics().normalised(columns[i][now]);
      }
    }

    @Override
    public float[] yesterday() {
      return yesterday;
    }

    @Override
    public void save(DataOutput out) throws IOException {
      out.writeBoolean(false);
      day.save(out);
    }
  }
}
