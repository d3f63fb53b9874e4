package io.tranche.serving.ledger;

import java.time.LocalDate;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The days of one instrument that have not ended. Its monitor guards them and all their orders.
public final class InstrumentState {

  private final NavigableMap<LocalDate, LedgerDay> days = new TreeMap<>();

  public NavigableMap<LocalDate, LedgerDay> days() {
    return days;
  }
}
