package io.tranche.market.store;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;

/// The lines of a calendar or instruments file, each with its number for messages.
final class TextFile {

  record Line(int number, String text) {}

  private TextFile() {}

  /// Returns the lines that are not blank.
  ///
  /// @param expected what the file should be, for the message when it is missing
  static List<Line> lines(Path file, String expected) {
    List<String> all;
    try {
      all = Files.readAllLines(file);
    } catch (NoSuchFileException _) {
      throw new DataException(file.toString(), expected, "no such file");
    } catch (CharacterCodingException e) {
      throw new DataException(file.toString(), "text in UTF-8", "other bytes", e);
    } catch (IOException e) {
      throw new DataException(file.toString(), expected, e.getMessage(), e);
    }
    var lines = new ArrayList<Line>(all.size());
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).isBlank()) {
        lines.add(new Line(i + 1, all.get(i).strip()));
      }
    }
    return lines;
  }

  static long time(Path file, Line line, String text) {
    try {
      return BarTime.parse(text);
    } catch (DateTimeException e) {
      throw new DataException(
          where(file, line), "a time such as 2021-03-01 09:30:00", "'" + text + "'", e);
    }
  }

  static String where(Path file, Line line) {
    return file + ":" + line.number();
  }
}
