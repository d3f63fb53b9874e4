package io.tranche.parquet;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBReadableVector;

/// One column of a Parquet file while it is read: what to select from DuckDB, and the array that
/// its chunks are copied to.
///
/// Arrays begin with room for the number of rows in the file's metadata, within reason, and grow if
/// needed.
abstract sealed class ParquetColumn {

  private final String sql;

  private ParquetColumn(String sql) {
    this.sql = sql;
  }

  final String sql() {
    return sql;
  }

  /// Returns how many vectors [#sql] selects.
  int width() {
    return 1;
  }

  /// Copies the chunk's vectors, from vector `at` on, to row `row` and those after it.
  abstract void add(DuckDBDataChunkReader chunk, int at, int row);

  abstract Table.Column toColumn(int rows);

  private static final String ZONED = "TIMESTAMP WITH TIME ZONE";

  /// @param where the file, for messages
  /// @param type DuckDB's name of the column's type
  /// @param capacity the initial number of rows
  /// @param singles whether numbers are wanted in single precision
  static ParquetColumn of(String where, String name, String type, int capacity, boolean singles) {
    String quoted = DuckDb.identifier(name);
    String plain = type.startsWith("DECIMAL") ? "DECIMAL" : type;
    return switch (plain) {
      case "FLOAT" -> new SingleColumn(quoted, false, capacity);
      case "DOUBLE",
          "DECIMAL",
          "HUGEINT",
          "UHUGEINT",
          "BIGINT",
          "UBIGINT",
          "INTEGER",
          "UINTEGER",
          "SMALLINT",
          "USMALLINT",
          "TINYINT",
          "UTINYINT",
          "BOOLEAN" ->
          singles ? new SingleColumn(quoted, true, capacity) : new NumberColumn(quoted, capacity);
      case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "DATE", ZONED ->
          new TimeColumn(where + ", column " + name, quoted, type, capacity);
      case "VARCHAR" -> new TextColumn(quoted, capacity);
      default ->
          throw new DataException(where + ", column " + name, "numbers, times or texts", type);
    };
  }

  private static int grown(int length, int wanted) {
    return Math.max(wanted, length + (length >> 1));
  }

  /// Numbers in single precision, narrowed here: DuckDB's own cast takes longer than reading them.
  private static final class SingleColumn extends ParquetColumn {
    private final boolean narrow;
    private float[] values;

    /// @param narrow whether they come as doubles
    SingleColumn(String name, boolean narrow, int capacity) {
      super(narrow ? "CAST(%s AS DOUBLE)".formatted(name) : name);
      this.narrow = narrow;
      this.values = new float[capacity];
    }

    @Override
    void add(DuckDBDataChunkReader chunk, int at, int row) {
      int count = (int) chunk.rowCount();
      if (values.length < row + count) {
        values = Arrays.copyOf(values, grown(values.length, row + count));
      }
      DuckDBReadableVector vector = chunk.vector(at);
      float[] into = values;
      if (narrow) {
        for (int i = 0; i < count; i++) {
          into[row + i] = (float) vector.getDouble(i, Double.NaN);
        }
      } else {
        for (int i = 0; i < count; i++) {
          into[row + i] = vector.getFloat(i, Float.NaN);
        }
      }
    }

    @Override
    Table.Column toColumn(int rows) {
      return new Table.Singles(rows == values.length ? values : Arrays.copyOf(values, rows));
    }
  }

  private static final class NumberColumn extends ParquetColumn {
    private double[] values;

    NumberColumn(String name, int capacity) {
      super("CAST(%s AS DOUBLE)".formatted(name));
      this.values = new double[capacity];
    }

    @Override
    void add(DuckDBDataChunkReader chunk, int at, int row) {
      int count = (int) chunk.rowCount();
      if (values.length < row + count) {
        values = Arrays.copyOf(values, grown(values.length, row + count));
      }
      DuckDBReadableVector vector = chunk.vector(at);
      double[] into = values;
      for (int i = 0; i < count; i++) {
        into[row + i] = vector.getDouble(i, Double.NaN);
      }
    }

    @Override
    Table.Column toColumn(int rows) {
      return new Table.Numbers(rows == values.length ? values : Arrays.copyOf(values, rows));
    }
  }

  /// Times, which must be whole seconds.
  private static final class TimeColumn extends ParquetColumn {
    private static final long MICROS = 1_000_000;
    private static final long NANOS = 1_000_000_000;

    private final String where;
    private final boolean nanos;
    private final boolean zoned;
    private long[] values;

    TimeColumn(String where, String name, String type, int capacity) {
      boolean inNanos = type.equals("TIMESTAMP_NS");
      boolean isZoned = type.equals(ZONED);
      String micros = isZoned ? "epoch_us(%s)" : "epoch_us(CAST(%s AS TIMESTAMP))";
      super((inNanos ? "epoch_ns(%s)" : micros).formatted(name));
      this.zoned = isZoned;
      this.where = where;
      this.nanos = inNanos;
      this.values = new long[capacity];
    }

    @Override
    void add(DuckDBDataChunkReader chunk, int at, int row) {
      int count = (int) chunk.rowCount();
      if (values.length < row + count) {
        values = Arrays.copyOf(values, grown(values.length, row + count));
      }
      DuckDBReadableVector vector = chunk.vector(at);
      long[] into = values;
      for (int i = 0; i < count; i++) {
        long units = vector.getLong(i, Table.Times.MISSING);
        // Division by a constant is many times faster than by a variable.
        long seconds = nanos ? Math.floorDiv(units, NANOS) : Math.floorDiv(units, MICROS);
        if (units == Table.Times.MISSING) {
          into[row + i] = units;
        } else if (seconds * (nanos ? NANOS : MICROS) == units) {
          into[row + i] = seconds;
        } else {
          throw new DataException(
              where + ", row " + (row + i + 1L), "whole seconds", units + (nanos ? " ns" : " us"));
        }
      }
    }

    @Override
    Table.Column toColumn(int rows) {
      return new Table.Times(rows == values.length ? values : Arrays.copyOf(values, rows), zoned);
    }
  }

  /// Texts. Each comes with a hash of 63 bits, so that a run of equal texts costs one string.
  private static final class TextColumn extends ParquetColumn {
    private static final long NULL_HASH = -1;

    private final Map<String, Integer> index = new HashMap<>();
    private final List<String> distinct = new ArrayList<>();
    private long lastHash = NULL_HASH;
    private int lastCode = -1;
    private int[] codes;

    TextColumn(String name, int capacity) {
      super("%s, CAST(hash(%s) >> 1 AS BIGINT)".formatted(name, name));
      this.codes = new int[capacity];
    }

    @Override
    int width() {
      return 2;
    }

    @Override
    void add(DuckDBDataChunkReader chunk, int at, int row) {
      int count = (int) chunk.rowCount();
      if (codes.length < row + count) {
        codes = Arrays.copyOf(codes, grown(codes.length, row + count));
      }
      DuckDBReadableVector texts = chunk.vector(at);
      DuckDBReadableVector hashes = chunk.vector(at + 1);
      for (int i = 0; i < count; i++) {
        long hash = hashes.getLong(i);
        if (hash != lastHash) {
          lastHash = hash;
          lastCode = texts.isNull(i) ? -1 : code(texts.getString(i));
        }
        codes[row + i] = lastCode;
      }
    }

    private int code(String text) {
      Integer known = index.putIfAbsent(text, distinct.size());
      if (known != null) {
        return known;
      }
      distinct.add(text);
      return distinct.size() - 1;
    }

    @Override
    Table.Column toColumn(int rows) {
      return new Table.Texts(
          distinct.toArray(String[]::new),
          rows == codes.length ? codes : Arrays.copyOf(codes, rows));
    }
  }
}
