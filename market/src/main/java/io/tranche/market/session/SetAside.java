package io.tranche.market.session;

import io.tranche.market.BarTime;

/// Bars of an instrument that are no ticks of its session.
///
/// @param bars their number
/// @param first the [BarTime] of the first, as the session's exchange has it
/// @param why what they are
public record SetAside(String instrument, int bars, long first, String why) {

  @Override
  public String toString() {
    return "%s: %d bars set aside, the first at %s: %s"
        .formatted(instrument, bars, BarTime.format(first), why);
  }
}
