package io.tranche.serving.ledger;

import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/// The days of one instrument that have not ended. Its monitor guards them and all their orders.
public final class InstrumentState {

  private final NavigableMap<LocalDate, LedgerDay> days = new TreeMap<>();
  private final Set<LedgerOrder> working = new LinkedHashSet<>();

  public NavigableMap<LocalDate, LedgerDay> days() {
    return days;
  }

  /// Returns a copy of the orders with a child order that is out and not to be withdrawn, so that a
  /// switch need not look for them.
  public List<LedgerOrder> working() {
    return working.isEmpty() ? List.of() : List.copyOf(working);
  }

  void setWorking(LedgerOrder order, boolean isWorking) {
    if (isWorking) {
      working.add(order);
    } else {
      working.remove(order);
    }
  }
}
