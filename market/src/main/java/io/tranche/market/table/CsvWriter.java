package io.tranche.market.table;

import io.tranche.files.PendingFile;
import io.tranche.market.BarTime;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes tables as CSV; a number is the shortest decimal that reads back to the same bits.
final class CsvWriter implements TableFormat.Writer {

  private static final int FLUSH_AT = 1 << 16;

  private final PendingFile file;
  private final Writer out;
  private final StringBuilder text = new StringBuilder(2 * FLUSH_AT);
  private @Nullable List<String> header;
  private long day = Long.MIN_VALUE; // of the text in `date`
  private String date = "";

  CsvWriter(Path target) throws IOException {
    this.file = PendingFile.beside(target);
    this.out = Files.newBufferedWriter(file.path(), StandardCharsets.UTF_8);
  }

  @Override
  public void append(Table table) throws IOException {
    List<String> names = List.copyOf(table.names());
    if (header == null) {
      header = names;
      for (int i = 0; i < names.size(); i++) {
        separate(i);
        text(names.get(i));
      }
      text.append('\n');
    } else if (!names.equals(header)) {
      throw new IllegalArgumentException("columns must be %s, was %s".formatted(header, names));
    }
    Table.Column[] columns = names.stream().map(table::column).toArray(Table.Column[]::new);
    for (int row = 0; row < table.rows(); row++) {
      int begin = text.length();
      for (int i = 0; i < columns.length; i++) {
        separate(i);
        cell(columns[i], row);
      }
      if (text.length() == begin) {
        text.append("\"\""); // a blank line would not be a record
      }
      text.append('\n');
      if (text.length() >= FLUSH_AT) {
        flush();
      }
    }
  }

  private void separate(int column) {
    if (column > 0) {
      text.append(',');
    }
  }

  private void cell(Table.Column column, int row) {
    switch (column) {
      case Table.Numbers numbers -> number(numbers.value(row));
      case Table.Singles singles -> {
        float value = singles.value(row);
        if (Float.isFinite(value)) {
          text.append(value);
        } else {
          number(value);
        }
      }
      case Table.Times times -> {
        if (times.value(row) != Table.Times.MISSING) {
          time(times.value(row));
        }
      }
      case Table.Texts texts -> {
        String value = texts.value(row);
        if (value != null) {
          text(value);
        }
      }
    }
  }

  private void number(double value) {
    if (Double.isFinite(value)) {
      text.append(value);
    } else if (!Double.isNaN(value)) {
      text.append(value > 0 ? "inf" : "-inf");
    }
  }

  private void time(long seconds) {
    long at = Math.floorDiv(seconds, BarTime.SECONDS_A_DAY);
    if (at != day) {
      day = at;
      date = BarTime.date(seconds).toString();
    }
    int second = BarTime.secondOfDay(seconds);
    text.append(date).append(' ');
    two(second / 3600);
    text.append(':');
    two(second / 60 % 60);
    text.append(':');
    two(second % 60);
  }

  private void two(int value) {
    text.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
  }

  private void text(String value) {
    if (isPlain(value)) {
      text.append(value);
    } else {
      text.append('"').append(value.replace("\"", "\"\"")).append('"');
    }
  }

  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char letter = value.charAt(i);
      if (letter == ',' || letter == '"' || letter == '\n' || letter == '\r') {
        return false;
      }
    }
    return true;
  }

  private void flush() throws IOException {
    out.append(text);
    text.setLength(0);
  }

  @Override
  public void commit() throws IOException {
    if (header == null) {
      throw new IOException("a table must be appended before the commit, was none");
    }
    flush();
    out.close();
    file.commit();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      out.close();
    }
  }
}
