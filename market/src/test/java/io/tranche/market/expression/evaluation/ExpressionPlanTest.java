package io.tranche.market.expression.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.expression.Expression;
import io.tranche.market.feature.pipeline.HandlerExpressions;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpressionPlanTest {

  private static final int DAYS = 4;
  private static final int BARS = 60;
  private static final Calendar CALENDAR = calendar();

  @Test
  void seesExactlyTheWindowItNeeds() {
    Cases.forAll(
        Cases.count(3_000, 300_000),
        random -> {
          float[][] fields = fields(random);
          Expression expression = Expression.parse(number(random, 3));
          int start = random.nextInt(CALENDAR.size());
          int end = random.nextInt(start, CALENDAR.size());

          Column cut = evaluate(expression, fields, start, end);
          Column whole =
              evaluate(expression, fields, 0, CALENDAR.size() - 1)
                  .between(start, end, new Buffers());

          assertThat(cut.index(0)).isEqualTo(whole.index(0));
          assertThat(cut.values()).as(expression.text()).isEqualTo(whole.values());
        });
  }

  // Values are small whole numbers, so that sums are exact whatever their window begins with.
  private static String number(SplittableRandom random, int depth) {
    String a = exact(random, depth - 1);
    return switch (depth == 0 ? 0 : random.nextInt(9)) {
      case 0 -> a;
      case 1 -> "Mean(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 2 -> "Quantile(%s, %d, 0.3)".formatted(a, random.nextInt(1, 9));
      case 3 -> "Rank(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 4 -> "WMA(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 5 -> "Mad(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 6 -> "%s/%s".formatted(number(random, depth - 1), "(" + a + ")");
      case 7 -> "Ref(%s, %d)".formatted(number(random, depth - 1), bars(random));
      default -> "Max(%s, %d)".formatted(number(random, depth - 1), random.nextInt(1, 9));
    };
  }

  private static String exact(SplittableRandom random, int depth) {
    if (depth <= 0) {
      return random.nextBoolean() ? "$x" : "$y";
    }
    String a = exact(random, depth - 1);
    String b = exact(random, depth - 1);
    return switch (random.nextInt(11)) {
      case 0 -> "(%s+%s)".formatted(a, b);
      case 1 -> "(%s-%s)".formatted(a, b);
      case 2 -> "%s*2".formatted(a);
      case 3 -> "Sum(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 4 -> "Ref(%s, %d)".formatted(a, bars(random));
      case 5 -> "Min(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 6 -> "Count(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 7 -> "IdxMax(%s, %d)".formatted(a, random.nextInt(1, 9));
      case 8 -> "If(%s>%s, %s, 3)".formatted(a, b, b);
      case 9 -> "If(IsNull(%s)|(%s<=1), 0, %s)".formatted(a, b, a);
      default -> "Greater(%s, Abs(%s))".formatted(a, b);
    };
  }

  private static int bars(SplittableRandom random) {
    int bars = random.nextInt(-5, 6);
    return bars == 0 ? 7 : bars;
  }

  @Test
  void unstableStatisticsAgreeClosely() {
    List<String> names = List.of("Std", "Var", "Slope", "Resi");
    Cases.forAll(
        Cases.count(500, 50_000),
        random -> {
          float[][] fields = fields(random);
          String name = names.get(random.nextInt(names.size()));
          var expression = Expression.parse("%s($x, %d)".formatted(name, random.nextInt(3, 12)));
          int start = random.nextInt(CALENDAR.size());
          int end = random.nextInt(start, CALENDAR.size());

          Column cut = evaluate(expression, fields, start, end);
          Column whole =
              evaluate(expression, fields, 0, CALENDAR.size() - 1)
                  .between(start, end, new Buffers());

          for (int row = 0; row < cut.size(); row++) {
            double wanted = whole.value(row);
            if (Double.isNaN(wanted)) {
              assertThat(cut.value(row)).isNaN();
            } else {
              assertThat(cut.value(row)).isCloseTo(wanted, within(1e-6));
            }
          }
        });
  }

  @Test
  void readsAndComputesWhatIsSharedOnce() {
    var loads = new ArrayList<String>();
    var plan =
        new ExpressionPlan(
            CALENDAR,
            List.of(
                Expression.parse("Mean($x+$y, 5)"),
                Expression.parse("Mean($x+$y, 5)/($x+$y)"),
                Expression.parse("Ref($x+$y, 4)")),
            100,
            110);

    plan.evaluate(
        "A",
        (field, from, to) -> {
          loads.add(field + " " + from + " " + to);
          return Column.ofField(from, new float[to - from + 1]);
        });

    assertThat(loads).containsExactly("x 96 110", "y 96 110");
  }

  @Test
  void manyExpressionsGiveWhatEachGivesAlone() {
    Cases.forAll(
        Cases.count(1_000, 100_000),
        random -> {
          float[][] fields = fields(random);
          var expressions = new ArrayList<Expression>();
          for (int i = 0; i < 4; i++) {
            expressions.add(Expression.parse(number(random, 3)));
          }
          expressions.add(Expression.parse("Cut($x, 1)"));

          List<Column> together =
              new ExpressionPlan(CALENDAR, expressions, 70, 190).evaluate("A", source(fields));

          for (int i = 0; i < expressions.size(); i++) {
            Column alone = evaluate(expressions.get(i), fields, 70, 190);
            assertThat(together.get(i).values())
                .as(expressions.get(i).text())
                .isEqualTo(alone.values());
          }
        });
  }

  /// Counts memory, because time depends on the machine. If each step made its own column, there
  /// would be about seventy.
  @Test
  void usesTheMemoryOfIntermediateResultsAgain() {
    long[] times = new long[20_000];
    Arrays.setAll(times, i -> BarTime.parse("2021-03-01") + i / 500 * 86_400L + i % 500 * 60L);
    var calendar = Calendar.of(Frequency.MINUTE, times);
    var expressions =
        HandlerExpressions.features(List.of("$a", "$b", "$c", "$close"), 500).values().stream()
            .map(Expression::parse)
            .toList();
    var plan = new ExpressionPlan(calendar, expressions, 0, times.length - 1);
    Column bars = Column.ofField(0, new float[times.length]);
    long limit = 15L * times.length * Double.BYTES;

    long bytes =
        Allocation.settledBytesOf(limit, () -> plan.evaluate("A", (_, _, _) -> bars, (_, _) -> {}));

    assertThat(bytes).isLessThan(limit);
  }

  @Test
  void keepsWindowsOfOneFieldApart() {
    float[] ones = new float[240];
    Arrays.fill(ones, 1);
    var calendar = minutes();
    var plan =
        new ExpressionPlan(
            calendar,
            List.of(
                Expression.parse("DayCumsum($v, '9:30', '14:59')"),
                Expression.parse("DayCumsum($v, '13:00', '13:01')"),
                Expression.parse("Cut($v, 3)"),
                Expression.parse("Cut($v, 5)")),
            0,
            239);

    List<Column> columns = plan.evaluate("A", (_, _, _) -> Column.ofField(0, ones));

    assertThat(columns.get(0).value(239)).isEqualTo(240);
    assertThat(columns.get(1).value(121)).isEqualTo(2);
    assertThat(columns.get(1).value(122)).isZero();
    assertThat(columns.get(2).index(0)).isEqualTo(3);
    assertThat(columns.get(3).index(0)).isEqualTo(5);
  }

  @Test
  void namesInstrumentAndDayOfADayThatIsNotWhole() {
    var plan =
        new ExpressionPlan(
            minutes(), List.of(Expression.parse("DayCumsum($v, '9:30', '14:59', 5)")), 0, 239);

    assertThatThrownBy(() -> plan.evaluate("SH1", (_, _, _) -> Column.ofField(0, new float[240])))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "instrument SH1, 2021-03-01, expression 'DayCumsum($v, '9:30', '14:59', 5)':"
                + " expected 48 bars of that day, was 240");
  }

  @Test
  void datesAreDaysSince1970() {
    Column dates = evaluate(Expression.parse("Date($x)"), new float[2][CALENDAR.size()], 59, 60);

    assertThat(dates.value(0)).isEqualTo(18_687);
    assertThat(dates.value(1)).isEqualTo(18_688);
  }

  private static Column evaluate(Expression expression, float[][] fields, int start, int end) {
    return new ExpressionPlan(CALENDAR, List.of(expression), start, end)
        .evaluate("A", source(fields))
        .getFirst();
  }

  private static FieldSource source(float[][] fields) {
    return (field, from, to) ->
        Column.ofField(from, Arrays.copyOfRange(fields[field.equals("x") ? 0 : 1], from, to + 1));
  }

  private static float[][] fields(SplittableRandom random) {
    float[][] fields = new float[2][CALENDAR.size()];
    for (float[] field : fields) {
      for (int i = 0; i < field.length; i++) {
        field[i] = random.nextInt(10) == 0 ? Float.NaN : random.nextInt(-4, 9);
      }
    }
    return fields;
  }

  private static Calendar calendar() {
    long[] times = new long[DAYS * BARS];
    for (int i = 0; i < times.length; i++) {
      times[i] = BarTime.parse("2021-03-01") + i / BARS * 86_400L + i % BARS * 60L;
    }
    return Calendar.of(Frequency.MINUTE, times);
  }

  private static Calendar minutes() {
    long[] times = new long[240];
    for (int i = 0; i < times.length; i++) {
      times[i] = BarTime.parse("2021-03-01 09:30") + i * 60L;
    }
    return Calendar.of(Frequency.MINUTE, times);
  }
}
