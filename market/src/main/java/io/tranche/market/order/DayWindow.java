package io.tranche.market.order;

import java.time.DateTimeException;
import java.time.LocalTime;

/// Times of day between which orders are executed, such as 10:00 to 11:00. A window that ends at or
/// before its start goes on past midnight.
///
/// @param end exclusive
public record DayWindow(LocalTime start, LocalTime end) {

  public DayWindow {
    if (start.equals(end)) {
      throw new IllegalArgumentException("window must not be empty, was " + start + "-" + end);
    }
  }

  /// Reads `10:00-11:00`.
  ///
  /// @throws IllegalArgumentException if `text` is no such window
  public static DayWindow parse(String text) {
    String[] times = text.strip().split("-", -1);
    try {
      if (times.length == 2) {
        return new DayWindow(LocalTime.parse(times[0].strip()), LocalTime.parse(times[1].strip()));
      }
    } catch (DateTimeException _) {
      // said below
    }
    throw new IllegalArgumentException("window must be like 10:00-11:00, was '" + text + "'");
  }

  /// @param second of the day, from 0 to 86,399
  boolean contains(int second) {
    int from = start.toSecondOfDay();
    int to = end.toSecondOfDay();
    return from < to ? second >= from && second < to : second >= from || second < to;
  }

  @Override
  public String toString() {
    return start + "-" + end;
  }
}
