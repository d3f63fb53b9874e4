package io.tranche.work.backtest;

import io.tranche.env.log.CsvTable;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A CSV file that becomes visible when it is complete.
final class CsvFile implements AutoCloseable {

  private final Path target;
  private final PendingFile pending;
  private final BufferedWriter out;
  private boolean hasHeader;

  CsvFile(Path target) {
    this.target = target;
    try {
      pending = PendingFile.beside(target);
      out = Files.newBufferedWriter(pending.path());
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  /// Appends records, all with the same keys.
  void append(List<Map<String, Object>> records) {
    if (!records.isEmpty()) {
      append(text(records));
    }
  }

  /// Returns records, all with the same keys, as a table with a header.
  static String text(List<Map<String, Object>> records) {
    var text = new StringBuilder();
    try {
      CsvTable.write(records, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringBuilder has none
    }
    return text.toString();
  }

  /// Appends a table with a header.
  void append(String table) {
    try {
      out.append(hasHeader ? table.substring(table.indexOf('\n') + 1) : table);
      hasHeader = true;
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  /// Commits files of one folder together.
  static void commitAll(List<CsvFile> files) {
    if (files.isEmpty()) {
      return;
    }
    Path at = files.getFirst().target;
    try {
      for (CsvFile each : files) {
        at = each.target;
        each.out.close();
      }
      PendingFile.commitAll(files.stream().map(each -> each.pending).toList());
    } catch (IOException e) {
      throw DataException.unwritable(at, e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
      pending.close();
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }
}
