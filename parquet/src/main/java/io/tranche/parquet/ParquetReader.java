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
import java.util.Collection;
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
/// Columns are independent in the format, so they are read in parallel.
final class ParquetReader {

  private static final Pattern UNNAMED_INDEX = Pattern.compile("__index_level_\\d+__");
  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};
  private static final int SMALL = 1 << 16;

  private final Path file;
  private final String source;
  private final long size;

  private ParquetReader(Path file, long size) {
    this.file = file;
    this.source = DuckDb.reading(file);
    this.size = size;
  }

  /// @param singles whether numbers are wanted in single precision
  /// @throws DataException if the file is missing or damaged, or lacks a column
  static Table read(Path file, List<String> columns, boolean singles) {
    return with(file, reader -> reader.table(columns, singles));
  }

  /// Returns the names of all columns except those of an unnamed pandas index.
  static List<String> columns(Path file) {
    return with(file, reader -> List.copyOf(DuckDb.read(reader::types).keySet()));
  }

  private interface Work<T> {
    T on(ParquetReader reader) throws SQLException, InterruptedException;
  }

  private static <T> T with(Path file, Work<T> work) {
    long size = checkedSize(file);
    Path absolute = file.toAbsolutePath().normalize();
    try {
      return work.on(new ParquetReader(absolute, size));
    } catch (SQLException e) {
      throw new DataException(file.toString(), "a sound Parquet file", firstLine(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException(file.toString(), "to be read", "interrupted", e);
    }
  }

  /// Makes cheap checks before native code reads the file.
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

  private Map<String, String> types(DuckDBConnection connection) throws SQLException {
    var types = new LinkedHashMap<String, String>();
    try (Statement statement = connection.createStatement();
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

  private long rows(DuckDBConnection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT count(*) FROM " + source)) {
      result.next();
      return result.getLong(1);
    }
  }

  private Table table(List<String> wanted, boolean singles)
      throws SQLException, InterruptedException {
    Map<String, String> types = DuckDb.read(this::types);
    long rows = DuckDb.read(this::rows);
    if (rows < 0 || rows > Integer.MAX_VALUE - 8) {
      throw new DataException(file.toString(), "at most 2^31 - 9 rows", rows);
    }
    // The file's claims about itself are capped by its size.
    int capacity = (int) Math.min(rows, Math.max(SMALL, size));
    var columns = new LinkedHashMap<String, ParquetColumn>();
    for (String name : wanted.isEmpty() ? types.keySet() : wanted) {
      String type = types.get(name);
      if (type == null) {
        throw new DataException(file.toString(), "a column " + name, types.keySet());
      }
      columns.put(name, ParquetColumn.of(file.toString(), name, type, capacity, singles));
    }
    readAll(columns.values(), (int) rows);
    var table = new LinkedHashMap<String, Table.Column>();
    columns.forEach((name, column) -> table.put(name, column.toColumn((int) rows)));
    return Table.of(table);
  }

  private void readAll(Collection<ParquetColumn> columns, int rows)
      throws SQLException, InterruptedException {
    List<List<ParquetColumn>> shares = shares(columns, rows);
    try (ExecutorService threads = Executors.newFixedThreadPool(shares.size())) {
      var results = new ArrayList<Future<?>>();
      for (List<ParquetColumn> share : shares) {
        results.add(threads.submit(reading(share, rows)));
      }
      for (Future<?> result : results) {
        join(result);
      }
    }
  }

  /// Distributes the columns over the processors, as evenly as their widths allow.
  private static List<List<ParquetColumn>> shares(Collection<ParquetColumn> columns, int rows) {
    int processors = rows < SMALL ? 1 : Runtime.getRuntime().availableProcessors();
    var shares = new ArrayList<List<ParquetColumn>>();
    int[] widths = new int[Math.clamp(columns.size(), 1, processors)];
    for (int i = 0; i < widths.length; i++) {
      shares.add(new ArrayList<>());
    }
    for (ParquetColumn column : columns) {
      int lightest = 0;
      for (int i = 1; i < widths.length; i++) {
        lightest = widths[i] < widths[lightest] ? i : lightest;
      }
      shares.get(lightest).add(column);
      widths[lightest] += column.width();
    }
    return shares;
  }

  private Callable<Integer> reading(List<ParquetColumn> columns, int rows) {
    return () -> DuckDb.read(connection -> read(connection, columns, rows));
  }

  private int read(DuckDBConnection connection, List<ParquetColumn> columns, int rows)
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
      if (row != rows) { // a damaged page ends the stream silently
        throw new DataException(file.toString(), rows + " readable rows", row);
      }
      return row;
    }
  }

  private void join(Future<?> result) throws SQLException, InterruptedException {
    try {
      result.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case SQLException cause -> throw cause;
        case DataException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> // the driver's own exceptions, which are undocumented
            throw new DataException(file.toString(), "a sound Parquet file", e.getCause(), e);
      }
    }
  }
}
