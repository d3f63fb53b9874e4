package io.tranche.market.feature;

import java.util.List;
import java.util.Set;

/// Turns features upside down: what a buyer sees becomes what a seller would see if every price had
/// moved the other way. Immutable.
///
/// Which columns are turned is told by their names. Prices and their moves change sign, around 0,
/// which normalising made of their mean; `high` and `low`, `bid` and `ask` also change places, and
/// so do what the two sides hold or may not do. Everything else, such as volume, volatility and
/// time, stays. Names may have the suffix `_1` of yesterday.
public final class Mirror {

  private static final Set<String> TURNED = Set.of("open", "close", "vwap", "vwap_gap", "change");
  private static final List<String> TURNED_FAMILIES = List.of("momentum", "imbalance");

  /// What changes places and sign.
  private static final List<List<String>> TURNED_PAIRS =
      List.of(List.of("high", "low"), List.of("bid", "ask"));

  /// What changes places only.
  private static final List<List<String>> PAIRS =
      List.of(
          List.of("bidv1", "askv1"),
          List.of("bidv3", "askv3"),
          List.of("bidv5", "askv5"),
          List.of("bidv10", "askv10"),
          List.of("limit_buy", "limit_sell"));

  private final FeatureColumns columns;
  private final Matrix today;
  private final Matrix yesterday;

  /// @throws IllegalArgumentException if one of two columns that change places is missing
  public Mirror(FeatureColumns columns) {
    this.columns = columns;
    this.today = Matrix.of(columns.today());
    this.yesterday = Matrix.of(columns.yesterday());
  }

  /// Returns `day` upside down.
  public DayFeatures apply(DayFeatures day) {
    int ticks = day.ticks();
    long[] times = new long[ticks];
    for (int tick = 0; tick < ticks; tick++) {
      times[tick] = day.time(tick);
    }
    return DayFeatures.wrap(
        day.instrument(),
        day.date(),
        columns,
        times,
        today.turn(ticks, day::today),
        yesterday.turn(ticks, day::yesterday));
  }

  /// Writes a row of today's features, which begins at `at` in `row`, upside down to `target`. Hot
  /// path: allocates nothing.
  public void turnToday(float[] row, int at, float[] target, int targetAt) {
    today.turnRow(row, at, target, targetAt);
  }

  /// Returns the rows of yesterday's features upside down.
  public float[] turnYesterday(float[] rows) {
    float[] turned = new float[rows.length];
    int width = columns.yesterday().size();
    for (int at = 0; at < rows.length; at += width) {
      yesterday.turnRow(rows, at, turned, at);
    }
    return turned;
  }

  @FunctionalInterface
  private interface Cell {
    float at(int tick, int column);
  }

  /// What each column of a matrix becomes.
  private static final class Matrix {

    private final int[] source;
    private final int[] sign;

    private Matrix(int width) {
      source = new int[width];
      sign = new int[width];
    }

    static Matrix of(List<String> names) {
      var matrix = new Matrix(names.size());
      for (int column = 0; column < names.size(); column++) {
        String name = names.get(column);
        String suffix = name.endsWith("_1") ? "_1" : "";
        String word = name.substring(name.startsWith("$") ? 1 : 0, name.length() - suffix.length());
        boolean moves = TURNED_PAIRS.stream().anyMatch(pair -> pair.contains(word));
        String other = partner(word);
        String wanted = other.equals(word) ? name : name.replace(word, other);
        matrix.source[column] = names.indexOf(wanted);
        if (matrix.source[column] < 0) {
          throw new IllegalArgumentException(
              "columns must include %s to mirror %s, was %s".formatted(wanted, name, names));
        }
        boolean turned =
            moves || TURNED.contains(word) || TURNED_FAMILIES.stream().anyMatch(word::startsWith);
        matrix.sign[column] = turned ? -1 : 1;
      }
      return matrix;
    }

    private static String partner(String word) {
      for (List<List<String>> pairs : List.of(TURNED_PAIRS, PAIRS)) {
        for (List<String> pair : pairs) {
          if (pair.contains(word)) {
            return pair.getFirst().equals(word) ? pair.getLast() : pair.getFirst();
          }
        }
      }
      return word;
    }

    void turnRow(float[] row, int at, float[] target, int targetAt) {
      for (int column = 0; column < source.length; column++) {
        target[targetAt + column] = sign[column] * row[at + source[column]];
      }
    }

    float[] turn(int ticks, Cell cell) {
      int width = source.length;
      float[] turned = new float[ticks * width];
      for (int tick = 0; tick < ticks; tick++) {
        for (int column = 0; column < width; column++) {
          turned[tick * width + column] = sign[column] * cell.at(tick, source[column]);
        }
      }
      return turned;
    }
  }
}
