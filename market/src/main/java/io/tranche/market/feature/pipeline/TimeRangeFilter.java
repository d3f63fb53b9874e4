package io.tranche.market.feature.pipeline;

/// Keeps instruments that trade from the first bar of a window to its last; gaps in between do not
/// matter. Qlib: `TimeRangeFlt`.
final class TimeRangeFilter {

  private TimeRangeFilter() {}

  /// @param start the calendar index of the window's first bar
  /// @param end and of its last
  static boolean keeps(RawColumns columns, int start, int end) {
    return columns.firstBar() >= 0 && columns.firstBar() <= start && columns.lastBar() >= end;
  }
}
