package io.tranche.serving;

import java.time.LocalDate;

/// An instrument on a trading day.
record DayKey(String instrument, LocalDate date) {

  @Override
  public String toString() {
    return instrument + " " + date;
  }
}
