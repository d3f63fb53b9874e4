package io.tranche.market.feature.provider;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.Expression.Cut;
import io.tranche.market.expression.Expression.DayCumsum;
import io.tranche.market.expression.Expression.Delta;
import io.tranche.market.expression.Expression.PairRolling;
import io.tranche.market.expression.Expression.Quantile;
import io.tranche.market.expression.Expression.Ref;
import io.tranche.market.expression.Expression.Rolling;
import io.tranche.market.expression.Expression.Select;
import io.tranche.market.expression.Expression.Unary;
import io.tranche.market.expression.RollingOperator;
import io.tranche.market.expression.UnaryOperator;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.expression.evaluation.ExpressionStream;
import io.tranche.market.feature.DayRule;
import io.tranche.market.feature.LiveFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/// Features that a configuration writes as expressions of Qlib's language.
///
/// An expression sees the day and the traded days before it that it needs, in a batch as on a day
/// in progress, so both give the same bits. One that needs later bars, or all bars since the data
/// began, is refused. A value that is not finite is missing.
///
/// @param formulas in the order of their columns
/// @param days how many earlier days are seen
public record ExpressionFeatures(List<Formula> formulas, int days) implements FeatureProvider {

  /// The key of a configuration that has expressions.
  public static final String KEY = "expressions";

  private static final String DAYS = "days";
  private static final String EXPRESSION = "expression";
  private static final String TURNS = "turns";
  private static final String NAME = "[a-z][a-z0-9_]{0,40}";
  private static final int MOST_DAYS = 250;

  /// The bars are adjusted already.
  private static final DayRule AS_THEY_ARE = new DayRule(0, true, false, false);

  /// A column.
  ///
  /// @param turns whether it changes its sign when prices move the other way, as a return does
  public record Formula(String name, Expression expression, boolean turns) {

    String column() {
      return (turns ? "$turned_" : "$x_") + name;
    }
  }

  public ExpressionFeatures {
    formulas = List.copyOf(formulas);
  }

  /// Reads `expressions: {gap: "$close/Ref($close,1)-1"}`; an entry may also be `{expression,
  /// turns}`, and `days` beside them says how many earlier days are seen.
  ///
  /// @param ticks bars of the longest day; 0 if `days` is there and the expressions are known to
  ///   stream
  /// @throws ConfigException if an expression is wrong or cannot be computed on a day in progress
  public static ExpressionFeatures from(ConfigNode node, int ticks) {
    node.rejectUnknown(List.of(KEY, DAYS));
    ConfigNode map = node.required(KEY);
    var formulas = new ArrayList<Formula>();
    for (String name : map.keys()) {
      ConfigNode entry = map.required(name);
      if (!name.matches(NAME) || name.endsWith("_1")) {
        throw new ConfigException(
            map.where(), "names of small letters and digits that do not end in _1", name);
      }
      formulas.add(formula(name, entry, ticks));
    }
    if (formulas.isEmpty()) {
      throw map.wrong("at least one expression");
    }
    ConfigNode days = node.optional(DAYS);
    if (days != null && (days.asInt() < 0 || days.asInt() > MOST_DAYS)) {
      throw days.wrong("a number of days in [0, %d]".formatted(MOST_DAYS));
    }
    return new ExpressionFeatures(
        formulas, days == null ? days(map, formulas, ticks) : days.asInt());
  }

  /// Refuses expressions that cannot be computed on a day in progress.
  ///
  /// @param expressions by name, as in [#from]
  /// @throws ConfigException naming the place of the first
  public static void requireStreams(ConfigNode expressions, int ticks) {
    expressions.keys().forEach(name -> formula(name, expressions.required(name), ticks));
  }

  private static Formula formula(String name, ConfigNode entry, int ticks) {
    if (entry.isMapping()) {
      entry.rejectUnknown(List.of(EXPRESSION, TURNS));
    }
    ConfigNode text = entry.isMapping() ? entry.required(EXPRESSION) : entry;
    Expression expression;
    try {
      expression = Expression.parse(text.asText());
      if (ticks > 0) {
        ExpressionStream.requireCausal(expression, ticks);
      }
    } catch (ConfigException e) {
      throw new ConfigException(
          text.where(), "an expression that can be computed bar by bar", e.getMessage());
    }
    requireBounded(expression, text);
    boolean isStated = entry.isMapping() && entry.has(TURNS);
    Boolean turns =
        isStated ? Boolean.valueOf(entry.required(TURNS).asBoolean()) : Turning.of(expression);
    if (turns == null) {
      throw text.wrong(
          "an expression around 0 whose sign follows prices, such as a return, or {expression,"
              + " turns} that says whether a buyer sees it with the other sign");
    }
    return new Formula(name, expression, turns);
  }

  /// Refuses what depends on where the data begin, which a day in progress does not know.
  private static void requireBounded(Expression expression, ConfigNode text) {
    boolean isBounded =
        switch (expression) {
          case Ref(_, int bars) -> bars != 0;
          case Delta(_, int bars) -> bars != 0;
          // These are computed around the mean of all values, as in pandas, also of later ones.
          case Rolling(RollingOperator operator, _, double window) ->
              window != 0 && operator != RollingOperator.SKEW && operator != RollingOperator.KURT;
          case Quantile(_, int window, _) -> window != 0;
          case PairRolling(_, _, _, int window) -> window != 0;
          // Qlib's sum of a day is defined for its 240 minutes only, all of them.
          case Cut _, Select _, DayCumsum _ -> false;
          default -> true;
        };
    if (!isBounded) {
      throw new ConfigException(
          text.where(),
          "windows of a fixed number of bars, and no Cut, Select, Skew, Kurt or DayCumsum",
          "'%s', which depends on where the data begin or end".formatted(expression.text()));
    }
    expression.operands().forEach(operand -> requireBounded(operand, text));
  }

  /// As many days as the expressions reach back if each had half of the usual bars, and one more.
  private static int days(ConfigNode where, List<Formula> formulas, int ticks) {
    long bars = 0;
    boolean fills = false;
    for (Formula formula : formulas) {
      bars = Math.max(bars, formula.expression.extension().left());
      fills |= fills(formula.expression);
    }
    long days = bars == 0 ? 0 : 1 + Math.ceilDiv(bars, Math.max(1, ticks / 2));
    if (days > MOST_DAYS) {
      throw where.wrong("expressions that reach back %d days at most".formatted(MOST_DAYS));
    }
    return (int) Math.max(days, fills ? 1 : 0);
  }

  private static boolean fills(Expression expression) {
    return (expression instanceof Unary(var operator, _) && operator == UnaryOperator.FORWARD_FILL)
        || expression.operands().stream().anyMatch(ExpressionFeatures::fills);
  }

  /// Returns what [#from] reads.
  ConfigNode toConfig() {
    var map = new LinkedHashMap<String, Object>();
    for (Formula formula : formulas) {
      var entry = new LinkedHashMap<String, Object>();
      entry.put(EXPRESSION, formula.expression.text());
      entry.put(TURNS, formula.turns);
      map.put(formula.name, entry);
    }
    var values = new LinkedHashMap<String, Object>();
    values.put(KEY, map);
    values.put(DAYS, days);
    return ConfigFiles.of("features", values);
  }

  @Override
  public String name() {
    return KEY;
  }

  @Override
  public List<String> columns() {
    return formulas.stream().map(Formula::column).toList();
  }

  @Override
  public List<String> fields() {
    return formulas.stream().flatMap(each -> each.expression.fields().stream()).distinct().toList();
  }

  @Override
  public int earlierDays() {
    return days;
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    var bars = new Bars(day, earlier);
    for (int tick = 0; tick < day.ticks(); tick++) {
      bars.append(tick);
    }
    bars.evaluate(0, day.ticks(), target, 0);
  }

  /// Computes fields, functions of one bar and forward fills tick by tick; with any other operation
  /// of today's bars, all is evaluated again at each tick.
  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    var bars = new Bars(day, earlier);
    BarSeries series = bars.frame.series();
    ExpressionStream stream =
        ExpressionStream.open(
            bars.expressions, bars.fields, day.instrument(), series.calendar(), bars::load, 0);
    if (stream == null) {
      return (tick, target, at) -> {
        bars.append(tick);
        bars.evaluate(tick, tick + 1, target, at);
      };
    }
    int width = formulas.size();
    return (tick, target, at) -> {
      bars.read(tick);
      stream.next(bars.bar, 0, target, at);
      finite(target, at, width);
    };
  }

  private static void finite(float[] values, int from, int count) {
    for (int i = from; i < from + count; i++) {
      values[i] = Float.isInfinite(values[i]) ? Float.NaN : values[i];
    }
  }

  /// The bars that the expressions see, on a calendar of their own.
  private final class Bars {

    private final DayFrame day;
    private final List<String> fields = fields();
    private final List<Expression> expressions =
        formulas.stream().map(Formula::expression).toList();
    private final int[] indices;
    private final float[] bar;
    private final LiveFrame frame;
    private final ExpressionPlan plan;

    Bars(DayFrame day, List<DayFrame> earlier) {
      this.day = day;
      this.indices = fields.stream().mapToInt(day::fieldIndex).toArray();
      this.bar = new float[indices.length];
      long[] times = new long[day.ticks()];
      for (int tick = 0; tick < times.length; tick++) {
        times[tick] = day.time(tick);
      }
      this.frame =
          LiveFrame.open(
              day.instrument(),
              fields,
              day.date(),
              times,
              day.plannedTicks(),
              earlier,
              days,
              AS_THEY_ARE);
      int size = frame.series().calendar().size();
      this.plan = new ExpressionPlan(frame.series().calendar(), expressions, 0, size - 1);
    }

    void read(int tick) {
      for (int i = 0; i < indices.length; i++) {
        bar[i] = day.value(indices[i], tick);
      }
    }

    void append(int tick) {
      read(tick);
      frame.append(bar, 0);
    }

    /// Writes the rows of the ticks `from` to `to` (exclusive).
    void evaluate(int from, int to, float[] target, int at) {
      int begin = frame.series().calendar().dayStart(frame.number());
      List<Column> columns = plan.evaluate(day.instrument(), this::load);
      for (int column = 0; column < columns.size(); column++) {
        float[] values = new float[frame.series().calendar().size()];
        Arrays.fill(values, Float.NaN);
        columns.get(column).narrow(values, 0);
        for (int tick = from; tick < to; tick++) {
          target[at + (tick - from) * columns.size() + column] = values[begin + tick];
        }
      }
      finite(target, at, (to - from) * columns.size());
    }

    private Column load(String name, int from, int to) {
      BarSeries series = frame.series();
      int field = series.fieldIndex(name);
      float[] values = new float[field < 0 ? 0 : to - from + 1];
      if (field >= 0) {
        series.copy(field, from, values, 0, values.length);
      }
      return Column.ofField(from, values);
    }
  }
}
