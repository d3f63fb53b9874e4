package io.tranche.market.feature;

import java.util.List;
import java.util.Set;

/// Mirrors features: a buyer sees what a seller would see if every price had moved the other way.
/// Immutable.
///
/// The names of columns decide how they are mirrored. Prices and their moves change sign around 0,
/// the mean after normalising. `high` and `low`, `bid` and `ask` also change places, as do the
/// volumes and limits of the two sides. Everything else, such as volume, volatility and time,
/// stays. Names may have the suffix `_1` of yesterday.
public final class Mirror {

  private static final Set<String> TURNED = Set.of("open", "close", "vwap", "vwap_gap", "change");
  private static final List<String> TURNED_FAMILIES = List.of("momentum", "imbalance", "turned_");

  /// Columns that change places and sign.
  private static final List<List<String>> TURNED_PAIRS =
      List.of(List.of("high", "low"), List.of("bid", "ask"));

  /// Columns that change places only.
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

  public DayFeatures apply(DayFeatures day) {
    int ticks = day.ticks();
    long[] times = new long[ticks];
    float[] rows = new float[ticks * columns.today().size()];
    float[] rowsBefore = new float[ticks * columns.yesterday().size()];
    for (int tick = 0; tick < ticks; tick++) {
      times[tick] = day.time(tick);
    }
    day.copyToday(0, ticks, rows, 0);
    day.copyYesterday(0, ticks, rowsBefore, 0);
    return DayFeatures.wrap(
        day.instrument(),
        day.date(),
        columns,
        times,
        today.turned(rows),
        yesterday.turned(rowsBefore));
  }

  /// Writes one row of today mirrored.
  ///
  /// Hot path: allocates nothing.
  ///
  /// @param to another array, or another part of the same
  public void turnToday(float[] from, int fromAt, float[] to, int toAt) {
    today.turn(from, fromAt, to, toAt);
  }

  /// Returns which columns of today change sign: prices and their moves.
  public boolean[] turned() {
    boolean[] turned = new boolean[today.sign.length];
    for (int column = 0; column < turned.length; column++) {
      turned[column] = today.sign[column] < 0;
    }
    return turned;
  }

  public float[] turnYesterday(float[] rows) {
    return yesterday.turned(rows);
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

    float[] turned(float[] rows) {
      float[] turned = new float[rows.length];
      for (int at = 0; at < rows.length; at += source.length) {
        turn(rows, at, turned, at);
      }
      return turned;
    }

    void turn(float[] from, int fromAt, float[] to, int toAt) {
      for (int column = 0; column < source.length; column++) {
        to[toAt + column] = sign[column] * from[fromAt + source[column]];
      }
    }
  }
}
