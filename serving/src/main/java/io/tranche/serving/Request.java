package io.tranche.serving;

import io.tranche.market.Side;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client's request to the service, over any interface. A request is well-formed; the service
/// decides whether it can be carried out.
///
/// Every request that changes something is idempotent: repeating it changes nothing and gets the
/// same answer. The same id with other contents is refused.
public sealed interface Request {

  /// Begins a day of an instrument, with the bars of earlier days that features need. Otherwise a
  /// day begins, without earlier days, when its first bar or order arrives. Answer:
  /// [Answer.DayOpen].
  ///
  /// @param earlier oldest first
  record OpenDay(String instrument, LocalDate date, List<EarlierDay> earlier, Hours hours)
      implements Request {
    public OpenDay {
      earlier = List.copyOf(earlier);
    }

    /// A day with its usual hours.
    public OpenDay(String instrument, LocalDate date, List<EarlierDay> earlier) {
      this(instrument, date, earlier, Hours.USUAL);
    }
  }

  /// @param bars in order of time
  record EarlierDay(LocalDate date, List<Bar> bars, Hours hours) {
    public EarlierDay {
      bars = List.copyOf(bars);
    }

    /// A day with its usual hours.
    public EarlierDay(LocalDate date, List<Bar> bars) {
      this(date, bars, Hours.USUAL);
    }
  }

  /// The hours of a day where they differ from its session.
  ///
  /// @param before the trading day before, on whose evening a night session opens; null for the
  ///   last of the earlier days, or the previous weekday
  /// @param ticks how many ticks the day has, fewer than usual if it closes early; null for all
  record Hours(@Nullable LocalDate before, @Nullable Integer ticks) {

    public static final Hours USUAL = new Hours(null, null);
  }

  /// A bar of an open day. If all its values are NaN, there is no bar for its tick. Answer:
  /// [Answer.BarTaken].
  ///
  /// @param date the trading day; bars of a night session belong to the next one
  /// @param time when the bar starts
  /// @param fields names in lower case, without a dollar sign; the same for all bars of a day
  /// @param values one per field; NaN for none
  record Bar(
      String instrument,
      LocalDate date,
      LocalDateTime time,
      List<String> fields,
      List<Float> values)
      implements Request {

    /// The field of closing prices.
    public static final String CLOSE = "close";

    /// The field of volumes.
    public static final String VOLUME = "volume";

    public Bar {
      fields = List.copyOf(fields);
      values = List.copyOf(values);
      if (fields.size() != values.size()) {
        throw new IllegalArgumentException(
            "values must be one per field, was %d of %d".formatted(values.size(), fields.size()));
      }
    }
  }

  /// Opens a parent order. Answer: [Answer.OrderState].
  ///
  /// @param id chosen by the client, unique among all orders whose days have not ended
  /// @param model the model that decides, as `name@version`; null to let the route choose
  /// @param account whose limits, exposure and switch count; null for none
  /// @param replaces the open order of the same instrument and day that is cancelled in the same
  ///   moment; what it has out stays reserved in this one. Null for none
  record OpenOrder(
      String id,
      String instrument,
      LocalDate date,
      Side side,
      double amount,
      LocalDateTime start,
      LocalDateTime end,
      @Nullable String model,
      @Nullable String account,
      @Nullable String replaces)
      implements Request {

    /// An order that replaces none.
    public OpenOrder(
        String id,
        String instrument,
        LocalDate date,
        Side side,
        double amount,
        LocalDateTime start,
        LocalDateTime end,
        @Nullable String model,
        @Nullable String account) {
      this(id, instrument, date, side, amount, start, end, model, account, null);
    }

    /// An order of no account.
    public OpenOrder(
        String id,
        String instrument,
        LocalDate date,
        Side side,
        double amount,
        LocalDateTime start,
        LocalDateTime end,
        @Nullable String model) {
      this(id, instrument, date, side, amount, start, end, model, null);
    }

    /// @param other the order that ends when this one begins; null for none
    public OpenOrder withReplaces(@Nullable String other) {
      return new OpenOrder(id, instrument, date, side, amount, start, end, model, account, other);
    }
  }

  /// Changes amount or end of an open order. Answer: [Answer.OrderState].
  ///
  /// @param amount at least what is filled and out in the market; null to keep it
  /// @param end null to keep it
  record Amend(String id, @Nullable Double amount, @Nullable LocalDateTime end)
      implements Request {}

  /// Reports what the market did with a child order. Answer: [Answer.OrderState].
  ///
  /// @param phase [Phase#WORKING] if the market has accepted it, [Phase#DONE] if nothing of it can
  ///   fill any more: it was filled, cancelled, rejected or has expired
  record Report(String id, int step, Phase phase) implements Request {
    public Report {
      if (phase != Phase.WORKING && phase != Phase.DONE) {
        throw new IllegalArgumentException("phase must be working or done, was " + phase);
      }
    }
  }

  /// Gives the price that closes of a day are compared with, from a source other than its bars.
  /// Answer: [Answer.Done].
  record Reference(String instrument, LocalDate date, double price) implements Request {}

  /// Reports that the market has halted an instrument, or has resumed. Nothing trades meanwhile.
  /// Answer: [Answer.Done].
  record Halt(String instrument, LocalDate date, boolean isHalted) implements Request {}

  /// Keeps an account on: if the next heartbeat does not come in time, it is switched off. Answer:
  /// [Answer.Done].
  ///
  /// @param seconds until the next one; 0 for no more
  record Heartbeat(String account, int seconds) implements Request {
    public Heartbeat {
      if (seconds < 0 || seconds > 86_400) {
        throw new IllegalArgumentException("seconds must be in [0, 86400], was " + seconds);
      }
    }
  }

  /// Asks for the next child order. Answer: [Answer.Child].
  ///
  /// @param step the number of the decision, from 0; repeating a step gets the same answer; null
  ///   for the current one
  /// @param deadlineMicros how long the answer may take; null for the service's default
  record Decide(String id, @Nullable Integer step, @Nullable Long deadlineMicros)
      implements Request {}

  /// Reports a fill. Answer: [Answer.OrderState].
  ///
  /// @param fillId chosen by the client, unique within the order
  /// @param step the step of the filled child order, which may have been withdrawn since; null for
  ///   the newest child order, which must still be working
  record Fill(String id, String fillId, @Nullable Integer step, double volume, double price)
      implements Request {

    /// A fill of the newest child order.
    public Fill(String id, String fillId, double volume, double price) {
      this(id, fillId, null, volume, price);
    }
  }

  /// Cancels an order. Answer: [Answer.OrderState].
  record Cancel(String id) implements Request {}

  /// Asks for the state of an order. Answer: [Answer.OrderState].
  record Look(String id) implements Request {}

  /// Asks for an order with its child orders and fills. Answer: [Answer.Details].
  record Inspect(String id) implements Request {}

  /// Asks for the limits in force. Answer: [Answer.LimitsInForce].
  record ListLimits() implements Request {}

  /// Asks for the newest fills of orders that are not known. Answer: [Answer.UnmatchedFills].
  record ListUnmatched() implements Request {}

  /// Asks for the states of orders, sorted by id. Answer: [Answer.Orders].
  ///
  /// @param after the last id already received; null to start from the beginning
  record ListOrders(@Nullable String after) implements Request {

    /// The largest number of orders per answer.
    public static final int MOST = 1_000;
  }

  /// Asks which models are loaded and what they need. Answer: [Answer.Models].
  record ListModels() implements Request {}

  /// Ends days: their open orders expire, and the service forgets them. The oldest day of an
  /// instrument also ends when the instrument has too many. A day that has ended accepts nothing
  /// more. Answer: [Answer.Done].
  ///
  /// @param instrument null for all instruments
  /// @param upTo the last day that ends
  record EndDays(@Nullable String instrument, LocalDate upTo) implements Request {}

  /// A request that only operators may send. Answer: [Answer.Done].
  sealed interface Admin extends Request {}

  /// Asks what is switched off. Answer: [Answer.Switches].
  record ListSwitches() implements Request {}

  /// Switches trading off or on again, ahead of all other requests. While it is off, every decision
  /// is 0; child orders that are working are withdrawn. Answer: [Answer.Done].
  ///
  /// @param name of the model, instrument or account; null for everything
  record Switch(Scope scope, @Nullable String name, boolean isOff) implements Admin {
    public Switch {
      if ((scope == Scope.ALL) != (name == null)) {
        throw new IllegalArgumentException(
            "name must be given only for a model, an instrument or an account, was %s of %s"
                .formatted(name, scope));
      }
    }
  }

  /// What a switch applies to.
  enum Scope {
    ALL,
    MODEL,
    INSTRUMENT,
    ACCOUNT
  }

  /// Sets the limits of a scope. Answer: [Answer.Done].
  ///
  /// @param name of the account or instrument, [#ANY] for those without limits of their own; null
  ///   for everything
  /// @param limits none to return to those of the configuration
  record SetLimits(Scope scope, @Nullable String name, RiskLimits limits) implements Admin {

    /// Stands for every account or instrument that has no limits of its own.
    public static final String ANY = "*";

    public SetLimits {
      if (scope == Scope.MODEL || (scope == Scope.ALL) != (name == null)) {
        throw new IllegalArgumentException(
            "limits must be of all, an account or an instrument, was %s of %s"
                .formatted(name, scope));
      }
    }
  }

  /// An operator's correction of what is in the ledger.
  sealed interface Correction extends Admin {}

  /// Corrects a fill that was booked. Answer: [Answer.OrderState].
  ///
  /// @param volume 0 for a bust: the fill never was
  record CorrectFill(String id, String fillId, double volume, double price) implements Correction {}

  /// Corrects a bar that was taken. Answer: [Answer.BarTaken].
  record CorrectBar(Bar bar) implements Correction {}

  /// Loads a bundle from the model folder. It is verified and warmed up before its first order.
  ///
  /// @param model `name@version`, the file's name without its suffix
  record Load(String model) implements Admin {}

  /// Unloads a model. Refused while an open order or the route uses it.
  record Unload(String model) implements Admin {}

  /// Sets the models that new orders go to.
  record SetRoute(Route route) implements Admin {}
}
