package io.tranche.parquet;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;

/// Reads one Parquet file.
///
/// Columns are independent of each other in the format, so each processor reads some of them.
final class ParquetReader {

  private static final Pattern UNNAMED_INDEX = Pattern.compile("__index_level_\\d+__");
  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};
  private static final int SMALL = 1 << 16;

  private final Path file;
  private final String source;
  private final DuckSession session;
  private final long size;

  private ParquetReader(Path file, DuckSession session, long size) {
    this.file = file;
    this.source = DuckSession.reading(file);
    this.session = session;
    this.size = size;
  }

  /// @throws DataException if the file is missing or damaged, or lacks a column
  static Table read(Path file, List<String> columns) {
    return with(file, reader -> reader.table(columns, false));
  }

  /// Reads with numbers in single precision, or in double if one of them is beyond a float: the
  /// caller knows how to name it.
  ///
  /// @throws DataException if the file is missing or damaged, or lacks a column
  static Table readSingles(Path file, List<String> columns) {
    return with(
        file,
        reader -> {
          try {
            return reader.table(columns, true);
          } catch (SQLException e) {
            return reader.table(columns, false);
          }
        });
  }

  /// Returns the names of all columns but those of an index that pandas saved without a name.
  static List<String> columns(Path file) {
    return with(file, reader -> List.copyOf(reader.types().keySet()));
  }

  private interface Work<T> {
    T on(ParquetReader reader) throws SQLException, InterruptedException;
  }

  private static <T> T with(Path file, Work<T> work) {
    long size = checkedSize(file);
    Path absolute = file.toAbsolutePath().normalize();
    try (DuckSession session = DuckSession.on(absolute)) {
      return work.on(new ParquetReader(absolute, session, size));
    } catch (SQLException e) {
      throw new DataException(file.toString(), "a sound Parquet file", firstLine(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException(file.toString(), "to be read", "interrupted", e);
    }
  }

  /// Checks what costs nothing to check before native code sees the file.
  private static long checkedSize(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new DataException(file.toString(), "a Parquet file", "none");
    }
    try (var channel = FileChannel.open(file)) {
      long size = channel.size();
      var head = ByteBuffer.allocate(4);
      var tail = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      if (size < 12 || channel.read(head, 0) < 4 || channel.read(tail, size - 8) < 8) {
        throw new DataException(file.toString(), "a Parquet file", size + " bytes");
      }
      if (!ByteBuffer.wrap(MAGIC).equals(head.flip())
          || !ByteBuffer.wrap(MAGIC).equals(tail.slice(4, 4))) {
        throw new DataException(file.toString(), "a Parquet file", "no PAR1 at both ends");
      }
      long footer = Integer.toUnsignedLong(tail.getInt(0));
      if (footer > size - 12) {
        throw new DataException(
            file.toString(), "a footer within %d bytes".formatted(size), footer + " bytes");
      }
      return size;
    } catch (IOException e) {
      throw new DataException(file.toString(), "a readable file", e, e);
    }
  }

  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("an error of DuckDB");
  }

  private Map<String, String> types() throws SQLException {
    var types = new LinkedHashMap<String, String>();
    try (Statement statement = session.connection().createStatement();
        ResultSet result = statement.executeQuery("DESCRIBE SELECT * FROM " + source)) {
      while (result.next()) {
        String name = result.getString(1);
        if (!UNNAMED_INDEX.matcher(name).matches()) {
          types.put(name, result.getString(2));
        }
      }
    }
    return types;
  }

  private long rows() throws SQLException {
    try (Statement statement = session.connection().createStatement();
        ResultSet result = statement.executeQuery("SELECT count(*) FROM " + source)) {
      result.next();
      return result.getLong(1);
    }
  }

  private Table table(List<String> wanted, boolean singles)
      throws SQLException, InterruptedException {
    Map<String, String> types = types();
    long rows = rows();
    if (rows < 0 || rows > Integer.MAX_VALUE - 8) {
      throw new DataException(file.toString(), "at most 2^31 - 9 rows", rows);
    }
    // What the file says of itself is not believed beyond its own size.
    int capacity = (int) Math.min(rows, Math.max(SMALL, size));
    var columns = new LinkedHashMap<String, ParquetColumn>();
    for (String name : wanted.isEmpty() ? types.keySet() : wanted) {
      String type = types.get(name);
      if (type == null) {
        throw new DataException(file.toString(), "a column " + name, types.keySet());
      }
      columns.put(name, ParquetColumn.of(file.toString(), name, type, capacity, singles));
    }
    readAll(List.copyOf(columns.values()), (int) rows);
    var table = new LinkedHashMap<String, Table.Column>();
    columns.forEach((name, column) -> table.put(name, column.toColumn((int) rows)));
    return Table.of(table);
  }

  private void readAll(List<ParquetColumn> columns, int rows)
      throws SQLException, InterruptedException {
    int groups = Math.clamp(columns.size(), 1, Runtime.getRuntime().availableProcessors());
    if (rows < SMALL) {
      groups = 1;
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(groups)) {
      var results = new ArrayList<Future<?>>();
      for (int group = 0; group < groups; group++) {
        var some = new ArrayList<ParquetColumn>();
        for (int i = group; i < columns.size(); i += groups) {
          some.add(columns.get(i));
        }
        results.add(threads.submit(reading(some, rows)));
      }
      for (Future<?> result : results) {
        join(result);
      }
    }
  }

  private Callable<Void> reading(List<ParquetColumn> columns, int rows) {
    return () -> {
      try (DuckDBConnection connection = session.another()) {
        read(connection, columns, rows);
      }
      return null;
    };
  }

  private void read(DuckDBConnection connection, List<ParquetColumn> columns, int rows)
      throws SQLException {
    String selected = columns.stream().map(ParquetColumn::sql).collect(Collectors.joining(", "));
    String sql = "SELECT %s FROM %s".formatted(selected, source);
    try (var statement = (DuckDBPreparedStatement) connection.prepareStatement(sql);
        var result = statement.query()) {
      int row = 0;
      while (result.nextChunk()) {
        var chunk = result.chunk();
        int at = 0;
        for (ParquetColumn column : columns) {
          column.add(chunk, at, row);
          at += column.width();
        }
        row += (int) chunk.rowCount();
      }
      if (row != rows) { // a damaged page ends the stream without a word
        throw new DataException(file.toString(), rows + " readable rows", row);
      }
    }
  }

  private static void join(Future<?> result) throws SQLException, InterruptedException {
    try {
      result.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case SQLException cause -> throw cause;
        case DataException cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
