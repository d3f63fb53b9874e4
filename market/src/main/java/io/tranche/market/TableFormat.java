package io.tranche.market;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// A file format that holds tables. Found by `ServiceLoader`, so that a format with a heavy
/// dependency can live in a module of its own.
public interface TableFormat {

  /// Returns the format of `file`, judged by its name.
  ///
  /// @throws DataException if none of the formats installed accepts it
  static TableFormat of(Path file) {
    List<TableFormat> installed = installed();
    for (TableFormat format : installed) {
      if (format.accepts(file)) {
        return format;
      }
    }
    boolean parquet = file.toString().toLowerCase(Locale.ROOT).endsWith(".parquet");
    throw new DataException(
        file.toString(),
        parquet ? "the module tranche-parquet" : "a file of " + names(installed),
        parquet ? "none on the class path" : "another");
  }

  static List<TableFormat> installed() {
    return InstalledFormats.ALL;
  }

  /// Returns the names of `formats` for a message: `csv, parquet`.
  static String names(List<TableFormat> formats) {
    return String.join(", ", formats.stream().map(TableFormat::name).sorted().toList());
  }

  /// Returns the name that users write, such as `csv`.
  String name();

  /// Whether `file` has this format, judged by its name.
  boolean accepts(Path file);

  /// Reads a file (or, where the format allows it, a folder of files).
  ///
  /// @param columns the columns wanted, in this order; empty for all
  /// @throws DataException if the file is missing, damaged or lacks a column
  Table read(Path file, List<String> columns);

  /// Reads as [#read] does for a caller that wants single precision: numbers may come as
  /// [Table.Singles] where that saves time or memory.
  default Table readSingles(Path file, List<String> columns) {
    return read(file, columns);
  }

  /// Returns the names of the columns in file order.
  ///
  /// @throws DataException if the file is missing or damaged
  default List<String> columns(Path file) {
    return List.copyOf(read(file, List.of()).names());
  }

  /// Returns the place of a table's `row` (0 is the first) as users know it, for messages.
  default String place(Path file, int row) {
    return "%s row %d".formatted(file, row + 1);
  }

  /// Begins a new file at `target`; an existing one is replaced when the writer commits.
  ///
  /// @throws DataException if this format cannot be written
  Writer create(Path target) throws IOException;

  /// Takes tables of the same columns one after another. Nothing is visible at the target before
  /// [#commit].
  interface Writer extends AutoCloseable {

    void append(Table table) throws IOException;

    void commit() throws IOException;

    @Override
    void close() throws IOException;
  }
}
