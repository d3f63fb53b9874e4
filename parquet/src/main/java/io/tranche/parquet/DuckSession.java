package io.tranche.parquet;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBConnection;

/// A DuckDB in memory that can touch one file and nothing else: no other path, no network, no
/// extension, and no way to ask for them later.
final class DuckSession implements AutoCloseable {

  private final DuckDBConnection connection;

  private DuckSession(DuckDBConnection connection) {
    this.connection = connection;
  }

  /// @param file absolute
  static DuckSession on(Path file) throws SQLException {
    var settings = new Properties();
    // Each caller's thread works for its own query; DuckDB starts none.
    settings.setProperty("threads", "1");
    settings.setProperty("memory_limit", "4GB");
    settings.setProperty("temp_directory", "");
    settings.setProperty("autoinstall_known_extensions", "false");
    settings.setProperty("autoload_known_extensions", "false");
    settings.setProperty("allow_community_extensions", "false");
    settings.setProperty("jdbc_stream_results", "true");
    var connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", settings);
    try (Statement statement = connection.createStatement()) {
      // A pattern counts as a path of its own, beside the file it finds.
      statement.execute(
          "SET allowed_paths = [%s, %s]".formatted(quoted(file.toString()), quoted(pattern(file))));
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return new DuckSession(connection);
  }

  DuckDBConnection connection() {
    return connection;
  }

  /// Returns a second connection for another thread; the caller closes it.
  DuckDBConnection another() throws SQLException {
    return connection.duplicate();
  }

  /// Returns the table function that reads exactly `file`.
  static String reading(Path file) {
    return "read_parquet(%s, hive_partitioning = false, binary_as_string = true)"
        .formatted(quoted(pattern(file)));
  }

  /// Returns the glob pattern that matches `file` alone: within brackets a glob character is
  /// itself.
  private static String pattern(Path file) {
    var pattern = new StringBuilder();
    for (char letter : file.toString().toCharArray()) {
      boolean glob = letter == '*' || letter == '?' || letter == '[';
      pattern.append(glob ? "[" + letter + "]" : letter);
    }
    return pattern.toString();
  }

  /// Returns a text as an SQL literal.
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /// Returns a name as an SQL identifier.
  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
