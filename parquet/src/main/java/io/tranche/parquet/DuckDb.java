package io.tranche.parquet;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// DuckDB in memory, locked down: it loads no extension (so there is no network), starts no thread,
/// and its settings cannot be changed.
final class DuckDb {

  @FunctionalInterface
  interface Question<T> {
    T on(DuckDBConnection connection) throws SQLException;
  }

  // Opening a database for each file would cost a third of the time to read it.
  private static @Nullable BlockingQueue<DuckDBConnection> readers;

  private DuckDb() {}

  /// Runs a query on a free connection to the database that all readers share; there are as many
  /// connections as processors.
  static <T> T read(Question<T> question) throws SQLException, InterruptedException {
    BlockingQueue<DuckDBConnection> pool = readers();
    DuckDBConnection connection = pool.take();
    try {
      return question.on(connection);
    } finally {
      pool.add(connection);
    }
  }

  private static synchronized BlockingQueue<DuckDBConnection> readers() throws SQLException {
    if (readers == null) {
      int processors = Runtime.getRuntime().availableProcessors();
      var pool = new LinkedBlockingQueue<DuckDBConnection>();
      DuckDBConnection first = open();
      for (int i = 0; i < processors; i++) {
        DuckDBConnection connection = i == 0 ? first : first.duplicate();
        try (Statement statement = connection.createStatement()) {
          // A small buffer keeps decoded data in the processor's cache until they are copied.
          statement.execute("SET streaming_buffer_size = '100KB'");
        }
        pool.add(connection);
      }
      lock(first);
      readers = pool;
    }
    return readers;
  }

  /// Returns a connection to a separate database, which can access only `file`.
  static DuckDBConnection writer(Path file) throws SQLException {
    DuckDBConnection connection = open();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET allowed_paths = [" + quoted(file.toString()) + "]");
      statement.execute("SET enable_external_access = false");
      lock(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  private static DuckDBConnection open() throws SQLException {
    var settings = new Properties();
    settings.setProperty("threads", "1"); // each query runs on its caller's thread
    settings.setProperty("memory_limit", "4GB");
    settings.setProperty("temp_directory", "");
    settings.setProperty("autoinstall_known_extensions", "false");
    settings.setProperty("autoload_known_extensions", "false");
    settings.setProperty("allow_community_extensions", "false");
    settings.setProperty("enable_external_file_cache", "false"); // a file may change
    return (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", settings);
  }

  private static void lock(DuckDBConnection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET lock_configuration = true");
    }
  }

  /// Returns the table function that reads exactly `file`, which is absolute.
  static String reading(Path file) {
    var pattern = new StringBuilder();
    for (char letter : file.toString().toCharArray()) {
      // Within brackets a glob character stands for itself.
      boolean glob = letter == '*' || letter == '?' || letter == '[';
      pattern.append(glob ? "[" + letter + "]" : letter);
    }
    return "read_parquet(%s, hive_partitioning = false, binary_as_string = true)"
        .formatted(quoted(pattern.toString()));
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
