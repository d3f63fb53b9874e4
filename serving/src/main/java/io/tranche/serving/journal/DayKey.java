package io.tranche.serving.journal;

import java.time.LocalDate;

/// An instrument on a trading day.
public record DayKey(String instrument, LocalDate date) {

  @Override
  public String toString() {
    return instrument + " " + date;
  }
}
