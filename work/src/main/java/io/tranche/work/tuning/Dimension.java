package io.tranche.work.tuning;

import io.tranche.config.ConfigNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One setting of the search space, and its possible values.
sealed interface Dimension {

  /// Six digits are readable, and more than a metric can distinguish.
  MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  /// Returns the dotted path into the configuration.
  String path();

  /// Returns all values, or null if they cannot be counted.
  default @Nullable List<String> values() {
    return null;
  }

  /// Returns the value at `share` of the way through the dimension.
  ///
  /// @param share in [0, 1)
  String at(double share);

  /// Whether its values are numbers on a logarithmic scale.
  default boolean isLogarithmic() {
    return false;
  }

  /// @param node a mapping with `values`, or with `range` and more
  /// @throws io.tranche.config.ConfigException if it is neither
  static Dimension from(String path, ConfigNode node) {
    if (!path.matches("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*")) {
      throw node.wrong("a path such as policy.kwargs.learning_rate");
    }
    node.rejectUnknown(List.of("values", "range", "scale", "type", "step"));
    ConfigNode values = node.written("values");
    if ((values != null) == node.has("range")) {
      throw node.wrong("either values or a range");
    }
    if (values == null) {
      return range(path, node);
    }
    node.rejectUnknown(List.of("values"));
    List<String> texts =
        values.asList().stream().map(value -> Setting.of(path, value).value()).toList();
    if (texts.isEmpty() || texts.size() != texts.stream().distinct().count()) {
      throw values.wrong("a list of different values");
    }
    return new Listed(path, texts);
  }

  private static Dimension range(String path, ConfigNode node) {
    ConfigNode range = node.required("range");
    List<ConfigNode> ends = range.asList();
    if (ends.size() != 2 || !(ends.getFirst().asDouble() < ends.getLast().asDouble())) {
      throw range.wrong("[low, high], the lower first");
    }
    ConfigNode scale = node.written("scale");
    boolean isLog = scale != null && scale.asChoice(List.of("linear", "log")).equals("log");
    if (isLog && ends.getFirst().asDouble() <= 0) {
      throw range.wrong("a range above 0, because its scale is log");
    }
    ConfigNode step = node.optional("step");
    if (step != null && (isLog || step.asDouble() <= 0)) {
      throw step.wrong(isLog ? "none, because the scale is log" : "a number above 0");
    }
    ConfigNode type = node.written("type");
    boolean areIntegers =
        ends.stream().allMatch(Dimension::isInteger) && (step == null || isInteger(step));
    boolean isInteger =
        type == null ? areIntegers : type.asChoice(List.of("int", "float")).equals("int");
    if (isInteger && !areIntegers) {
      throw range.wrong("integers, because its type is int");
    }
    if (step != null) {
      return stepped(path, ends, step, isInteger);
    }
    double low = ends.getFirst().asDouble();
    double high = ends.getLast().asDouble();
    return isInteger
        ? new Integers(path, ends.getFirst().asLong(), ends.getLast().asLong(), isLog)
        : new Reals(path, low, high, isLog);
  }

  private static boolean isInteger(ConfigNode node) {
    return node.scalar() instanceof Long;
  }

  private static Dimension stepped(
      String path, List<ConfigNode> ends, ConfigNode step, boolean isInteger) {
    // In decimals, so that 0.1 + 0.2 is 0.3.
    BigDecimal low = BigDecimal.valueOf(ends.getFirst().asDouble());
    BigDecimal high = BigDecimal.valueOf(ends.getLast().asDouble());
    BigDecimal by = BigDecimal.valueOf(step.asDouble());
    BigDecimal count = high.subtract(low).divideToIntegralValue(by);
    if (count.compareTo(BigDecimal.valueOf(SearchSpace.MOST)) >= 0) {
      throw step.wrong("a step that leaves at most %d values".formatted(SearchSpace.MOST));
    }
    return new Listed(
        path,
        IntStream.rangeClosed(0, count.intValue())
            .mapToObj(i -> low.add(by.multiply(BigDecimal.valueOf(i))))
            .map(value -> isInteger ? value.toBigInteger().toString() : text(value.doubleValue()))
            .toList());
  }

  private static String text(double value) {
    return Double.toString(value).replace('E', 'e');
  }

  /// A list of values.
  record Listed(String path, List<String> values) implements Dimension {

    public Listed {
      values = List.copyOf(values);
    }

    @Override
    public String at(double share) {
      return values.get((int) (share * values.size()));
    }
  }

  /// Whole numbers, both ends included.
  record Integers(String path, long low, long high, boolean isLogarithmic) implements Dimension {

    @Override
    public String at(double share) {
      // Each number covers the range up to the next one.
      double end = high + 1.0;
      double value =
          isLogarithmic ? low * StrictMath.pow(end / low, share) : low + share * (end - low);
      return Long.toString(Math.clamp((long) Math.floor(value), low, high));
    }
  }

  record Reals(String path, double low, double high, boolean isLogarithmic) implements Dimension {

    @Override
    public String at(double share) {
      double value =
          isLogarithmic ? low * StrictMath.pow(high / low, share) : low + share * (high - low);
      double rounded = new BigDecimal(value).round(DIGITS).doubleValue();
      return text(Math.clamp(rounded, low, high));
    }
  }
}
