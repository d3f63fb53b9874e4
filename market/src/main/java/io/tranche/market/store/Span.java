package io.tranche.market.store;

import io.tranche.market.BarTime;

/// A period in which an instrument is listed, both ends inclusive.
///
/// @param start [BarTime] seconds
/// @param end [BarTime] seconds, not before `start`
public record Span(long start, long end) {

  public Span {
    if (end < start) {
      throw new IllegalArgumentException(
          "end must not be before start, was %s .. %s"
              .formatted(BarTime.format(start), BarTime.format(end)));
    }
  }

  public boolean contains(long time) {
    return time >= start && time <= end;
  }
}
