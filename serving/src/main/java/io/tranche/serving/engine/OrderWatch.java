package io.tranche.serving.engine;

import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;

/// What an operator watches about open orders.
///
/// @param barAgeSeconds how old the newest bar of an instrument with an open order is, at most; NaN
///   for none
/// @param nearEnd how many open orders are in their last step and not filled
/// @param out how many orders have something out in the market
public record OrderWatch(double barAgeSeconds, int nearEnd, int out) {

  static OrderWatch of(Ledger ledger, DayGate gate) {
    double age = Double.NaN;
    int nearEnd = 0;
    int out = 0;
    for (InstrumentState state : ledger.instruments().values()) {
      synchronized (state) {
        for (LedgerDay day : state.days().values()) {
          boolean isOpen = false;
          for (LedgerOrder order : day.orders()) {
            out += order.out() > 0 ? 1 : 0;
            if (!order.isOver()) {
              isOpen = true;
              nearEnd += order.presentStep() >= order.window().steps() - 1 ? 1 : 0;
            }
          }
          double of = isOpen ? gate.clock(day).barAgeSeconds() : Double.NaN;
          age = Double.isNaN(age) || of > age ? of : age;
        }
      }
    }
    return new OrderWatch(age, nearEnd, out);
  }
}
