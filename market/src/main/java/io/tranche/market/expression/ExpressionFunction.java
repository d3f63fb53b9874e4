package io.tranche.market.expression;

import io.tranche.config.ConfigException;
import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.Constant;
import io.tranche.market.expression.Expression.Cut;
import io.tranche.market.expression.Expression.DayCumsum;
import io.tranche.market.expression.Expression.Delta;
import io.tranche.market.expression.Expression.If;
import io.tranche.market.expression.Expression.PairRolling;
import io.tranche.market.expression.Expression.Quantile;
import io.tranche.market.expression.Expression.Ref;
import io.tranche.market.expression.Expression.Rolling;
import io.tranche.market.expression.Expression.Select;
import io.tranche.market.expression.Expression.Unary;
import io.tranche.market.expression.ExpressionParser.Argument;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One call such as `Ref($close, 1)`: looks the name up and checks the arguments.
record ExpressionFunction(
    ExpressionReader reader, String name, int position, List<Argument> arguments) {

  private static final int LARGEST_WINDOW = 100_000_000; // far beyond any calendar
  private static final int MINUTES_A_DAY = 240;
  private static final Pattern TIME = Pattern.compile("([0-9]{1,2}):([0-9]{1,2})");

  private static final Map<String, UnaryOperator> UNARY = byName(UnaryOperator.values());
  private static final Map<String, BinaryOperator> BINARY = byName(BinaryOperator.values());
  private static final Map<String, RollingOperator> ROLLING = byName(RollingOperator.values());
  private static final Map<String, PairOperator> PAIR = byName(PairOperator.values());
  private static final List<String> OTHERS =
      List.of("If", "Ref", "Delta", "Quantile", "DayCumsum", "Cut", "Select");

  Expression build() {
    UnaryOperator unary = UNARY.get(name);
    if (unary != null) {
      count(1, 1);
      return new Unary(unary, series(0));
    }
    BinaryOperator binary = BINARY.get(name);
    if (binary != null) {
      return buildBinary(binary);
    }
    RollingOperator rolling = ROLLING.get(name);
    if (rolling != null) {
      count(2, 2);
      return new Rolling(rolling, series(0), window(rolling));
    }
    PairOperator pair = PAIR.get(name);
    if (pair != null) {
      count(3, 3);
      return new PairRolling(pair, series(0), series(1), whole(2, 1, LARGEST_WINDOW));
    }
    return switch (name) {
      case "If" -> {
        count(3, 3);
        yield new If(series(0), value(1), value(2));
      }
      case "Ref" -> {
        count(2, 2);
        yield new Ref(series(0), whole(1, -LARGEST_WINDOW, LARGEST_WINDOW));
      }
      case "Delta" -> {
        count(2, 2);
        yield new Delta(series(0), whole(1, -LARGEST_WINDOW, LARGEST_WINDOW));
      }
      case "Quantile" -> buildQuantile();
      case "DayCumsum" -> buildDayCumsum();
      case "Cut" -> buildCut();
      case "Select" -> {
        count(2, 2);
        yield new Select(series(0), series(1));
      }
      default -> throw error(position, "one of the functions " + names(), "'" + name + "'");
    };
  }

  private Expression buildBinary(BinaryOperator operator) {
    count(2, 2);
    Expression left = value(0);
    Expression right = value(1);
    if (left instanceof Constant && right instanceof Constant) {
      throw error(position, "a field in " + name, "two numbers");
    }
    return new Binary(operator, left, right);
  }

  private Expression buildQuantile() {
    count(3, 3);
    double probability = number(2).value();
    if (!(probability >= 0 && probability <= 1)) {
      throw error(arguments.get(2).position(), "a probability from 0 to 1", probability);
    }
    return new Quantile(series(0), whole(1, 0, LARGEST_WINDOW), probability);
  }

  private Expression buildDayCumsum() {
    count(1, 4);
    int start = arguments.size() > 1 ? minuteOfDay(1) : 9 * 60 + 30;
    int end = arguments.size() > 2 ? minuteOfDay(2) : 14 * 60 + 59;
    int granularity = arguments.size() > 3 ? whole(3, 1, MINUTES_A_DAY) : 1;
    if (MINUTES_A_DAY % granularity != 0) {
      throw error(arguments.get(3).position(), "a divisor of " + MINUTES_A_DAY, granularity);
    }
    return new DayCumsum(series(0), start, end, granularity);
  }

  private Expression buildCut() {
    count(1, 3);
    int head = isGiven(1) ? whole(1, 1, LARGEST_WINDOW) : 0;
    int tail = isGiven(2) ? -whole(2, -LARGEST_WINDOW, -1) : 0;
    return new Cut(series(0), head, tail);
  }

  private double window(RollingOperator operator) {
    Constant window = number(1);
    double bars = window.value();
    if (operator.takesFraction() && bars > 0 && bars < 1) {
      return bars;
    }
    int whole = whole(1, 0, LARGEST_WINDOW);
    if (whole != 0 && whole < operator.smallestWindow()) {
      throw error(
          arguments.get(1).position(),
          "0 or a window of at least " + operator.smallestWindow(),
          whole);
    }
    return whole;
  }

  private int minuteOfDay(int index) {
    Argument argument = arguments.get(index);
    if (argument.value() instanceof String time) {
      Matcher matcher = TIME.matcher(time);
      if (matcher.matches()) {
        int minute = 60 * Integer.parseInt(matcher.group(1)) + Integer.parseInt(matcher.group(2));
        boolean morning = minute >= 9 * 60 + 30 && minute < 11 * 60 + 30;
        boolean afternoon = minute >= 13 * 60 && minute < 15 * 60;
        if ((morning || afternoon) && Integer.parseInt(matcher.group(2)) < 60) {
          return minute;
        }
      }
    }
    throw error(
        argument.position(),
        "a time such as '9:30' within 9:30-11:29 or 13:00-14:59",
        describe(argument));
  }

  private boolean isGiven(int index) {
    return index < arguments.size() && arguments.get(index).value() != null;
  }

  private void count(int least, int most) {
    if (arguments.size() < least || arguments.size() > most) {
      String expected = least == most ? "" + least : least + " to " + most;
      throw error(position, "%s arguments of %s".formatted(expected, name), arguments.size());
    }
  }

  /// Returns an argument that has a value at each bar.
  private Expression series(int index) {
    Expression expression = value(index);
    if (expression instanceof Constant) {
      throw error(arguments.get(index).position(), "a field, such as $close", expression.text());
    }
    return expression;
  }

  private Expression value(int index) {
    Argument argument = arguments.get(index);
    if (argument.value() instanceof Expression expression) {
      return expression;
    }
    throw error(argument.position(), "an expression", describe(argument));
  }

  private Constant number(int index) {
    Argument argument = arguments.get(index);
    if (argument.value() instanceof Constant constant) {
      return constant;
    }
    throw error(argument.position(), "a number", describe(argument));
  }

  private int whole(int index, int least, int most) {
    Constant constant = number(index);
    if (!constant.whole() || constant.value() < least || constant.value() > most) {
      throw error(
          arguments.get(index).position(),
          "a whole number from %d to %d".formatted(least, most),
          constant.text());
    }
    return (int) constant.value();
  }

  private static String describe(Argument argument) {
    return switch (argument.value()) {
      case null -> "None";
      case String string -> "'" + string + "'";
      case Expression expression -> expression.text();
      default -> argument.value().toString();
    };
  }

  private ConfigException error(int at, String expected, Object found) {
    return reader.error(at, expected, found);
  }

  private static Set<String> names() {
    var names = new TreeSet<String>(OTHERS);
    Stream.of(UNARY, BINARY, ROLLING, PAIR).forEach(table -> names.addAll(table.keySet()));
    return names;
  }

  private static <E extends Enum<E>> Map<String, E> byName(E[] values) {
    var table = new LinkedHashMap<String, E>();
    Arrays.stream(values).forEach(value -> table.put(value.toString(), value));
    return Map.copyOf(table);
  }
}
