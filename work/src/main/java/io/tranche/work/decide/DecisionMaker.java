package io.tranche.work.decide;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.order.NamedOrder;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes decisions for orders on days that are under way: a runtime of this process, or a service
/// elsewhere. Used by one thread.
///
/// What cannot be done is a [DataException] that says where.
public interface DecisionMaker {

  /// What bars and days must be.
  ///
  /// @param fields without which a bar is no use
  /// @param earlierDays how many days before a day are looked back on
  record Wants(Session session, Frequency frequency, List<String> fields, int earlierDays) {
    public Wants {
      fields = List.copyOf(fields);
    }
  }

  /// How an order is worked.
  ///
  /// @param ticksPerStep how many ticks lie between two decisions, counted from the day's first
  /// @param isQlib as [io.tranche.runtime.ModelSpec#isQlib]
  record Terms(int ticksPerStep, boolean isQlib) {}

  /// A bar of the tick that comes next.
  ///
  /// @param fields those that are wanted, in their order, then others
  /// @param values one a field; NaN alone if no bar came
  record Bar(
      String instrument, LocalDate date, long time, List<String> fields, List<Float> values) {}

  /// A decision that is due.
  record Due(String id, int step) {}

  /// A child order to send, whose predecessor is withdrawn.
  ///
  /// @param choice of the model; -1 if it is not told
  /// @param limited the name of the limit that made it smaller; null for none
  record Child(double volume, Kind kind, int choice, Source source, @Nullable String limited) {}

  /// Who decided.
  enum Source {
    MODEL,
    /// The model did not answer in time, or failed.
    TWAP,
    /// Trading is switched off.
    KILL_SWITCH
  }

  /// What was filled of the newest child order.
  ///
  /// @param number of the fill among those of its order, from 1
  record Fill(String id, int number, double volume, double price) {}

  Wants wants();

  /// Begins a day.
  ///
  /// @param earlier the days before, oldest first
  void openDay(String instrument, LocalDate date, List<DayFrame> earlier);

  /// Opens an order on a day that was begun.
  Terms openOrder(NamedOrder named, LocalDate date);

  /// Takes bars, at most one an instrument.
  void bars(List<Bar> bars);

  /// Takes decisions that are due, at most one an order.
  ///
  /// @return a child order each
  List<Child> decide(List<Due> due);

  /// Takes fills, before the next decisions.
  void fill(List<Fill> fills);

  /// Ends a day.
  void closeDay(String instrument, LocalDate date);
}
