package io.tranche.serving.engine;

import io.tranche.market.DataException;
import io.tranche.serving.Observer;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.EventFeed;
import io.tranche.serving.journal.Recovery;
import io.tranche.serving.journal.ServiceState;
import io.tranche.serving.journal.SwitchReserve;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import java.io.IOException;

/// What a service begins with: everything that its journal says.
///
/// @param nanos how long the journal took to read
record RecoveredState(
    Ledger ledger,
    ServiceState service,
    EventFeed feed,
    Recovery recovery,
    SwitchReserve reserve,
    long nanos) {

  /// Reads the journal of a service, which may be missing, empty, or left by one that died.
  ///
  /// @throws DataException with file and offset if it is damaged
  static RecoveredState read(ServiceConfig config) {
    var ledger = new Ledger(config);
    var service = new ServiceState();
    var feed = new EventFeed();
    long began = System.nanoTime();
    Recovery recovery =
        Recovery.read(config.journal(), service, event -> ledger.replay(event) != null, feed);
    long nanos = System.nanoTime() - began;
    ledger.requireMarket();
    try {
      var reserve = SwitchReserve.open(config.journal());
      return new RecoveredState(ledger, service, feed, recovery, reserve, nanos);
    } catch (IOException e) {
      throw DataException.unwritable(config.journal(), e);
    }
  }

  void tell(Observer observer) {
    if (recovery.cutBytes() > 0) {
      observer.notice(
          Kind.TAIL_CUT,
          String.valueOf(recovery.cutFile()),
          "%d bytes that were never acknowledged were cut".formatted(recovery.cutBytes()));
    }
    observer.notice(
        Kind.RECOVERED,
        "journal",
        "%d events, %d orders".formatted(recovery.events(), ledger.orderCount()));
  }

  /// Lets models read the days that are open.
  static void resume(EngineCore core) {
    for (InstrumentState state : core.ledger().instruments().values()) {
      synchronized (state) {
        for (LedgerDay day : state.days().values()) {
          day.orders().stream()
              .map(LedgerOrder::model)
              .filter(core.models().names()::contains)
              .distinct()
              .sorted()
              .forEach(name -> core.workers().prepare(day, name));
        }
      }
    }
  }
}
