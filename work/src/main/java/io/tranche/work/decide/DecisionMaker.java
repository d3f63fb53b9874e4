package io.tranche.work.decide;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.Frictions;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.TradingDays;
import io.tranche.market.session.StatedSessions;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Takes decisions for orders on live days: a runtime in this process, or a service. Used by one
/// thread.
///
/// Errors are a [io.tranche.market.DataException] that says where.
public interface DecisionMaker {

  /// The bars and days that it needs.
  ///
  /// @param sessions the hours of the instruments that have others than `session`
  /// @param fields that every bar must have
  /// @param earlierDays how many days features look back
  record Wants(
      Session session,
      Map<String, Session> sessions,
      Frequency frequency,
      List<String> fields,
      int earlierDays) {
    public Wants {
      sessions = Map.copyOf(sessions);
      fields = List.copyOf(fields);
    }

    /// Returns the hours of an instrument.
    public Session session(String instrument) {
      return sessions.getOrDefault(instrument, session);
    }

    /// Returns when trading days begin and end, as far as that is known without bars.
    public TradingDays days() {
      return TradingDays.of(this::session);
    }

    /// Returns the hours as bars are opened with them.
    public StatedSessions stated() {
      var stated = new LinkedHashMap<>(sessions);
      stated.put("*", session);
      return new StatedSessions(stated);
    }
  }

  /// How an order is executed.
  ///
  /// @param ticksPerStep the ticks between two decisions, counted from the day's first
  /// @param isQlib as [io.tranche.runtime.ModelSpec#isQlib]
  /// @param frictions of the model's simulator, for fills that are assumed
  record Terms(int ticksPerStep, boolean isQlib, Frictions frictions) {}

  /// A bar of the next tick.
  ///
  /// @param fields the needed ones in their order, then others
  /// @param values one per field; all NaN if no bar came
  record Bar(
      String instrument, LocalDate date, long time, List<String> fields, List<Float> values) {}

  /// A decision that is due.
  record Due(String id, int step) {}

  /// A child order to send; its predecessor is withdrawn.
  ///
  /// @param choice of the model; -1 if unknown
  /// @param limited the name of the limit that reduced it; null for none
  record Child(double volume, Kind kind, int choice, Source source, @Nullable String limited) {}

  /// Who decided.
  enum Source {
    MODEL,
    /// The model did not answer in time, or failed.
    TWAP,
    /// Trading is switched off.
    KILL_SWITCH
  }

  /// A fill of the newest child order.
  ///
  /// @param number of the fill among those of its order, from 1
  record Fill(String id, int number, double volume, double price) {}

  Wants wants();

  /// Begins a day.
  ///
  /// @param times the [io.tranche.market.BarTime] of its ticks, those of the session from its first
  ///   on; a day that closes early has fewer
  /// @param earlier the days before, oldest first
  void openDay(String instrument, LocalDate date, long[] times, List<DayFrame> earlier);

  /// Opens an order on an open day.
  Terms openOrder(NamedOrder named, LocalDate date);

  /// Takes bars, at most one per instrument.
  void bars(List<Bar> bars);

  /// Takes decisions that are due, at most one per order.
  ///
  /// @return one child order for each
  List<Child> decide(List<Due> due);

  /// Takes fills, before the next decisions.
  void fill(List<Fill> fills);

  /// Ends a day.
  void closeDay(String instrument, LocalDate date);
}
