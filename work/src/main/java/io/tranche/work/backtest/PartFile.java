package io.tranche.work.backtest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.run.ResultRow;
import io.tranche.files.PendingFile;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// The results of a group of orders while the others are still being worked on, in a file that is
/// there whole or not at all. What it says of a number is exact.
///
/// The first line is the fingerprint of the backtest, the last one `end`.
///
/// @param failures rows of the order file and why they failed
record PartFile(List<ResultRow> rows, List<Failure> failures) {

  /// @param row of the order file
  record Failure(int row, String reason) {}

  private static final String END = "end";

  PartFile {
    rows = List.copyOf(rows);
    failures = List.copyOf(failures);
  }

  void write(Path file, String fingerprint) {
    // Not forced to disk: what a power cut leaves of it is not taken for a part.
    try {
      PendingFile.writeUnforced(file, text(fingerprint).getBytes(UTF_8));
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Returns the content of the file.
  String text(String fingerprint) {
    var lines = new ArrayList<String>();
    lines.add(fingerprint);
    lines.add(Integer.toString(rows.size()));
    rows.forEach(row -> lines.add(text(row)));
    lines.add(Integer.toString(failures.size()));
    failures.forEach(
        failure -> lines.add(failure.row + " " + failure.reason.replaceAll("\\s+", " ")));
    lines.add(END);
    return String.join("\n", lines) + "\n";
  }

  private static String text(ResultRow row) {
    Line line = row.line();
    return BarTime.of(row.time())
        + " "
        + DoubleStream.of(
                line.innerAmount(),
                line.filledAmount(),
                line.tradePrice(),
                line.tradeValue(),
                line.tradeCost(),
                line.tradeDirection(),
                line.amount(),
                line.fillRate(),
                line.baseVolume(),
                line.basePrice(),
                line.advantage())
            .mapToObj(Double::toString)
            .collect(Collectors.joining(" "))
        + " "
        + line.instrument();
  }

  /// Returns what was written, or null if there is nothing, or it is of another backtest, or
  /// damaged.
  static @Nullable PartFile read(Path file, String fingerprint) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return parse(Files.readAllLines(file), fingerprint);
    } catch (IOException e) {
      return null; // worked out again
    }
  }

  /// Returns what the lines of a file say, or null if they are of another backtest, or damaged.
  static @Nullable PartFile parse(List<String> text, String fingerprint) {
    try {
      Iterator<String> lines = text.iterator();
      if (!lines.next().equals(fingerprint)) {
        return null;
      }
      var rows = new ArrayList<ResultRow>();
      for (int left = Integer.parseInt(lines.next()); left > 0; left--) {
        rows.add(row(lines.next().split(" ", 13)));
      }
      var failures = new ArrayList<Failure>();
      for (int left = Integer.parseInt(lines.next()); left > 0; left--) {
        String[] cells = lines.next().split(" ", 2);
        failures.add(new Failure(Integer.parseInt(cells[0]), cells[1]));
      }
      return lines.next().equals(END) ? new PartFile(rows, failures) : null;
    } catch (NoSuchElementException
        | NumberFormatException
        | ArrayIndexOutOfBoundsException
        | DateTimeException e) {
      return null; // worked out again
    }
  }

  private static ResultRow row(String[] cells) {
    double[] numbers = new double[11];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Double.parseDouble(cells[i + 1]);
    }
    return new ResultRow(
        BarTime.dateTime(Long.parseLong(cells[0])),
        new Line(
            cells[12],
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            numbers[4],
            numbers[5],
            numbers[6],
            numbers[7],
            numbers[8],
            numbers[9],
            numbers[10]));
  }
}
