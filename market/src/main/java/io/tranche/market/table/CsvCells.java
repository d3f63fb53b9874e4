package io.tranche.market.table;

import io.tranche.market.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/// Cuts a CSV file (RFC 4180) into cells, one after another, without ever holding more than one
/// buffer of it.
///
/// Spreadsheets of many countries export semicolons between cells and a comma within numbers. The
/// header line shows which it is: without a comma, the semicolon or the tab separates, and `13,5`
/// is read as `13.5`.
///
/// Hot path: a cell is a range of [#bytes]; nothing is allocated per cell.
final class CsvCells implements AutoCloseable {

  static final int MAX_CELL = 1 << 16;
  static final int MAX_RECORD = 1 << 22;

  private final Path file;
  private final InputStream in;
  private final byte[] buffer = new byte[4 * MAX_CELL];
  private int at;
  private int limit;
  private boolean ended;

  private final byte separator;
  private final byte lowest; // the bytes above this one are neither separators nor line ends

  private long line = 1; // where the next cell begins
  private long recordLine = 1;
  private int recordBytes;
  private int start;
  private int end;
  private boolean last;

  /// @param file its name, for messages
  /// @param in its content; closed with the cells
  CsvCells(Path file, InputStream in) throws IOException {
    this.file = file;
    this.in = in;
    fill(0);
    boolean marked =
        limit >= 3
            && buffer[0] == (byte) 0xEF
            && buffer[1] == (byte) 0xBB
            && buffer[2] == (byte) 0xBF;
    at = marked ? 3 : 0;
    separator = separator();
    lowest = (byte) Math.max(separator, ',');
  }

  /// Returns what separates the cells of the header line.
  private byte separator() {
    byte found = ',';
    boolean quoted = false;
    for (int i = at; i < limit && (quoted || buffer[i] != '\n'); i++) {
      quoted ^= buffer[i] == '"';
      if (!quoted && buffer[i] == ',') {
        return ',';
      }
      if (!quoted && found == ',' && (buffer[i] == ';' || buffer[i] == '\t')) {
        found = buffer[i];
      }
    }
    return found;
  }

  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  boolean isLast() {
    return last;
  }

  /// Returns the line on which the current record begins.
  long line() {
    return recordLine;
  }

  /// Whether there is a further record. Blank lines may only end the file.
  boolean nextRecord() throws IOException {
    long blanks = 0;
    start = at;
    while (available() && (buffer[at] == '\n' || buffer[at] == '\r')) {
      endOfLine();
      start = at;
      blanks++;
    }
    if (!available()) {
      return false;
    }
    if (blanks > 0) {
      throw new DataException(file + ":" + (line - 1), "a record", "a blank line");
    }
    recordLine = line;
    recordBytes = 0;
    return true;
  }

  void next() throws IOException {
    start = at;
    if (available() && buffer[at] == '"') {
      quoted();
    } else {
      plain();
    }
    if (separator != ',') {
      pointDecimalComma();
    }
    if (end - start > MAX_CELL) {
      throw bad("a cell of at most " + MAX_CELL + " bytes", "a longer one");
    }
    recordBytes += end - start + 1;
    if (recordBytes > MAX_RECORD) {
      throw bad("a record of at most " + MAX_RECORD + " bytes", "a longer one");
    }
  }

  /// Turns the comma of a number into a point, in place.
  private void pointDecimalComma() {
    int comma = -1;
    for (int i = start; i < end; i++) {
      byte letter = buffer[i];
      if (letter == ',' && comma < 0) {
        comma = i;
      } else if ((letter < '0' || letter > '9') && letter != '-' && letter != '+') {
        return;
      }
    }
    if (comma > start) {
      buffer[comma] = '.';
    }
  }

  private void plain() throws IOException {
    while (true) {
      byte[] bytes = buffer;
      int i = at;
      int stop = limit;
      // All characters of a usual cell are above the comma, except the blank, signs and a few
      // marks.
      byte below = lowest;
      while (i < stop && bytes[i] > below) {
        i++;
      }
      at = i;
      if (i == stop) {
        if (!available()) {
          end = at;
          last = true;
          return;
        }
        continue;
      }
      if (bytes[i] == separator) {
        end = i;
        at = i + 1;
        last = false;
        return;
      }
      switch (bytes[i]) {
        case '\n', '\r' -> {
          end = i;
          endOfLine(); // may move the buffer, and the cell with it
          last = true;
          return;
        }
        case '"' -> throw bad("a cell with a quote to be quoted", "a quote within the cell");
        default -> at++;
      }
    }
  }

  /// Reads `"a ""word"", with commas"`, closing the gaps of doubled quotes in place.
  private void quoted() throws IOException {
    at++;
    int length = 0;
    while (true) {
      if (!available()) {
        throw bad("a closing quote", "the end of the file");
      }
      byte letter = buffer[at++];
      if (letter == '"') {
        if (!available() || buffer[at] != '"') {
          break;
        }
        at++;
      } else if (letter == '\n') {
        line++;
      }
      buffer[start + length++] = letter;
    }
    end = start + length;
    if (!available()) {
      last = true;
    } else if (buffer[at] == separator) {
      at++;
      last = false;
    } else if (buffer[at] == '\n' || buffer[at] == '\r') {
      endOfLine();
      last = true;
    } else {
      throw bad("a separator or the end of the line after a closing quote", (char) buffer[at]);
    }
  }

  /// Steps over LF or CRLF.
  private void endOfLine() throws IOException {
    if (buffer[at] == '\r') {
      at++;
      if (!available() || buffer[at] != '\n') {
        throw bad("a line feed after a carriage return", "none");
      }
    }
    at++;
    line++;
  }

  /// Whether there is a byte at `at`, reading more if necessary; keeps the current cell in the
  /// buffer.
  private boolean available() throws IOException {
    if (at < limit) {
      return true;
    }
    if (ended) {
      return false;
    }
    int keep = start;
    if (at - keep > 2 * MAX_CELL + 2) { // every byte may be a doubled quote
      throw bad("a cell of at most " + MAX_CELL + " bytes", "a longer one");
    }
    fill(keep);
    return at < limit;
  }

  private void fill(int keep) throws IOException {
    System.arraycopy(buffer, keep, buffer, 0, limit - keep);
    at -= keep;
    start -= keep;
    end -= keep;
    limit -= keep;
    int read = in.readNBytes(buffer, limit, buffer.length - limit);
    ended = read < buffer.length - limit;
    limit += read;
  }

  DataException bad(String expected, Object found) {
    return new DataException(file + ":" + line, expected, found);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
