package io.tranche.market;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Named columns of equal length: the content of a CSV, Parquet or pickle file before it is
/// interpreted.
public final class Table {

  /// A column is numbers, times or texts. Missing values are NaN, [Times#MISSING] and null.
  public sealed interface Column {
    int size();

    /// Returns the memory that the values take.
    long bytes();
  }

  /// Double precision numbers; integers and booleans are read as doubles too.
  public static final class Numbers implements Column {
    private final double[] values;

    /// Wraps `values`, which the caller hands over.
    public Numbers(double[] values) {
      this.values = values;
    }

    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return (long) values.length * Double.BYTES;
    }

    public static <T> Numbers of(List<T> rows, ToDoubleFunction<T> value) {
      return new Numbers(rows.stream().mapToDouble(value).toArray());
    }

    public double value(int row) {
      return values[row];
    }
  }

  /// Single precision numbers.
  public static final class Singles implements Column {
    private final float[] values;

    /// Wraps `values`, which the caller hands over.
    public Singles(float[] values) {
      this.values = values;
    }

    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return (long) values.length * Float.BYTES;
    }

    public float value(int row) {
      return values[row];
    }

    public void copy(int from, float[] target, int offset, int length) {
      System.arraycopy(values, from, target, offset, length);
    }
  }

  /// [BarTime] seconds.
  public static final class Times implements Column {
    public static final long MISSING = Long.MIN_VALUE;
    private final long[] values;
    private final boolean instants;

    /// Wraps `values`, which the caller hands over.
    public Times(long[] values) {
      this(values, false);
    }

    /// @param instants whether they are seconds of UTC
    public Times(long[] values, boolean instants) {
      this.values = values;
      this.instants = instants;
    }

    /// Whether the times had a zone or an offset: they are seconds of UTC and not yet those of an
    /// exchange.
    public boolean areInstants() {
      return instants;
    }

    @Override
    public int size() {
      return values.length;
    }

    @Override
    public long bytes() {
      return (long) values.length * Long.BYTES;
    }

    public static <T> Times of(List<T> rows, ToLongFunction<T> value) {
      return new Times(rows.stream().mapToLong(value).toArray());
    }

    public long value(int row) {
      return values[row];
    }

    public void copy(int from, long[] target, int offset, int length) {
      System.arraycopy(values, from, target, offset, length);
    }
  }

  /// Texts, each distinct one stored once.
  public static final class Texts implements Column {
    /// What a text takes beside its characters: two objects and the reference to them.
    private static final int TEXT_BYTES = 56;

    private final String[] distinct;
    private final int[] codes;

    /// Wraps both arrays, which the caller hands over; a code of -1 is a missing text.
    public Texts(String[] distinct, int[] codes) {
      for (int code : codes) {
        if (code < -1 || code >= distinct.length) {
          throw new IllegalArgumentException(
              "code must be in [-1, %d), was %d".formatted(distinct.length, code));
        }
      }
      this.distinct = distinct;
      this.codes = codes;
    }

    public static <T> Texts of(List<T> rows, Function<T, String> value) {
      return of(rows.stream().map(value).toArray(String[]::new));
    }

    public static Texts of(@Nullable String... values) {
      var index = new LinkedHashMap<String, Integer>();
      int[] codes = new int[values.length];
      for (int i = 0; i < values.length; i++) {
        String value = values[i];
        codes[i] = value == null ? -1 : index.computeIfAbsent(value, _ -> index.size());
      }
      return new Texts(index.keySet().toArray(String[]::new), codes);
    }

    @Override
    public int size() {
      return codes.length;
    }

    @Override
    public long bytes() {
      long texts = 0;
      for (String text : distinct) {
        texts += TEXT_BYTES + text.length();
      }
      return texts + (long) codes.length * Integer.BYTES;
    }

    public @Nullable String value(int row) {
      return codes[row] < 0 ? null : distinct[codes[row]];
    }

    /// Returns the position of this row's text among the distinct ones, -1 if it is missing.
    public int code(int row) {
      return codes[row];
    }

    public String[] distinct() {
      return distinct.clone();
    }
  }

  private final Map<String, Column> columns;
  private final int rows;

  private Table(Map<String, Column> columns, int rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /// Makes a table of `columns` in their iteration order.
  ///
  /// @throws IllegalArgumentException if they are not equally long
  public static Table of(Map<String, ? extends Column> columns) {
    int rows = columns.isEmpty() ? 0 : columns.values().iterator().next().size();
    columns.forEach(
        (name, column) -> {
          if (column.size() != rows) {
            throw new IllegalArgumentException(
                "column %s must have %d rows, was %d".formatted(name, rows, column.size()));
          }
        });
    return new Table(new LinkedHashMap<>(columns), rows);
  }

  public int rows() {
    return rows;
  }

  /// Returns the memory that the values of all columns take.
  public long bytes() {
    return columns.values().stream().mapToLong(Column::bytes).sum();
  }

  public Set<String> names() {
    return Collections.unmodifiableSet(columns.keySet());
  }

  public @Nullable Column column(String name) {
    return columns.get(name);
  }

  /// Returns the value at `row` as a number.
  ///
  /// @throws IllegalArgumentException if there is no such column or it does not hold numbers
  public double number(String name, int row) {
    return switch (columns.get(name)) {
      case Numbers numbers -> numbers.value(row);
      case Singles singles -> singles.value(row);
      case null, default ->
          throw new IllegalArgumentException(
              "column must be a column of numbers in %s, was %s".formatted(names(), name));
    };
  }

  /// Returns the value at `row` as [BarTime] seconds; texts are parsed. [Times#MISSING] if missing.
  ///
  /// @throws java.time.DateTimeException if it is a text that [BarTime#parse] does not know
  /// @throws IllegalArgumentException if there is no such column or it holds numbers
  public long time(String name, int row) {
    return switch (columns.get(name)) {
      case Times times -> times.value(row);
      case Texts texts -> {
        String text = texts.value(row);
        yield text == null ? Times.MISSING : BarTime.parse(text);
      }
      case null, default ->
          throw new IllegalArgumentException(
              "column must be a column of times in %s, was %s".formatted(names(), name));
    };
  }

  @Override
  public String toString() {
    return "Table[%d rows, %s]".formatted(rows, Arrays.toString(names().toArray()));
  }
}
