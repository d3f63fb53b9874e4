package io.tranche.parquet;

import static java.util.Objects.requireNonNull;

import io.tranche.files.PendingFile;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Collects tables in a DuckDB in memory and writes them as one file on commit.
final class ParquetWriter implements TableFormat.Writer {

  private final PendingFile file;
  private final DuckDBConnection connection;
  private @Nullable List<String> header;
  private @Nullable DuckDBAppender appender;

  ParquetWriter(Path target) throws IOException {
    this.file = PendingFile.beside(target);
    try {
      this.connection = DuckDb.writer(file.path());
    } catch (SQLException e) {
      file.close();
      throw new IOException(e);
    }
  }

  @Override
  public void append(Table table) throws IOException {
    List<String> names = List.copyOf(table.names());
    if (header != null && !names.equals(header)) {
      throw new IllegalArgumentException("columns must be %s, was %s".formatted(header, names));
    }
    try {
      DuckDBAppender rows = appender == null ? begin(table) : appender;
      Table.Column[] columns = names.stream().map(table::column).toArray(Table.Column[]::new);
      for (int row = 0; row < table.rows(); row++) {
        rows.beginRow();
        for (Table.Column column : columns) {
          append(rows, column, row);
        }
        rows.endRow();
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private DuckDBAppender begin(Table table) throws SQLException {
    String columns =
        table.names().stream()
            .map(name -> DuckDb.identifier(name) + " " + type(table.column(name)))
            .collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE written (%s)".formatted(columns));
    }
    header = List.copyOf(table.names());
    DuckDBAppender created = connection.createAppender("written");
    appender = created;
    return created;
  }

  private static String type(Table.@Nullable Column column) {
    return switch (column) {
      case Table.Singles _ -> "FLOAT";
      case Table.Numbers _ -> "DOUBLE";
      case Table.Times _ -> "TIMESTAMP";
      case Table.Texts _ -> "VARCHAR";
      case null -> throw new IllegalArgumentException("column must be there, was null");
    };
  }

  private static void append(DuckDBAppender rows, Table.Column column, int row)
      throws SQLException {
    switch (column) {
      case Table.Singles singles when !Float.isNaN(singles.value(row)) ->
          rows.append(singles.value(row));
      case Table.Numbers numbers when !Double.isNaN(numbers.value(row)) ->
          rows.append(numbers.value(row));
      case Table.Times times when times.value(row) != Table.Times.MISSING ->
          rows.appendEpochMicros(Math.multiplyExact(times.value(row), 1_000_000L));
      case Table.Texts texts when texts.code(row) >= 0 ->
          rows.append(requireNonNull(texts.value(row)));
      default -> rows.appendNull();
    }
  }

  @Override
  public void commit() throws IOException {
    DuckDBAppender rows = appender;
    if (rows == null) {
      throw new IOException("a table must be appended before the commit, was none");
    }
    try (Statement statement = connection.createStatement()) {
      rows.close();
      statement.execute(
          "COPY written TO %s (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)"
              .formatted(DuckDb.quoted(file.path().toString())));
    } catch (SQLException e) {
      throw new IOException(e);
    }
    file.commit();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
