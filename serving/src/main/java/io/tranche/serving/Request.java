package io.tranche.serving;

import io.tranche.market.Side;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a client asks the service for, whatever wire it came by. Already well-formed; whether it
/// can be done is for the service to say.
///
/// Every request that changes something is idempotent: the same again gets the same answer and
/// changes nothing; the same name with other contents is refused.
public sealed interface Request {

  /// Begins a day of an instrument, with the bars of earlier days that features want to see. A day
  /// that nobody opened begins without any when its first bar or order comes. Answer:
  /// [Answer.DayOpen].
  ///
  /// @param earlier oldest first
  record OpenDay(String instrument, LocalDate date, List<EarlierDay> earlier) implements Request {
    public OpenDay {
      earlier = List.copyOf(earlier);
    }
  }

  /// @param bars in the order of their times
  record EarlierDay(LocalDate date, List<Bar> bars) {
    public EarlierDay {
      bars = List.copyOf(bars);
    }
  }

  /// A bar of a day that is under way; one of NaN alone says that none will come for its tick.
  /// Answer: [Answer.BarTaken].
  ///
  /// @param date the trading day, which is the next one for bars of a night session
  /// @param time of its start
  /// @param fields names in lower case, without dollar sign; the same for all bars of a day
  /// @param values one a field; NaN for none
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
            "values must be one a field, was %d of %d".formatted(values.size(), fields.size()));
      }
    }
  }

  /// Opens a parent order. Answer: [Answer.OrderState].
  ///
  /// @param id the client's own, unique among all orders whose days have not ended
  /// @param model which one is to decide, as `name@version`; null for what the service routes to
  record OpenOrder(
      String id,
      String instrument,
      LocalDate date,
      Side side,
      double amount,
      LocalDateTime start,
      LocalDateTime end,
      @Nullable String model)
      implements Request {}

  /// Asks for the next child order. Answer: [Answer.Child].
  ///
  /// @param step which decision of the order, 0 the first: the same step again gets the same
  ///   answer; null for the present one
  /// @param deadlineMicros how long an answer may take; null for the service's own
  record Decide(String id, @Nullable Integer step, @Nullable Long deadlineMicros)
      implements Request {}

  /// Tells of a fill. Answer: [Answer.OrderState].
  ///
  /// @param fillId the client's own, unique within the order
  /// @param step whose child order was filled, which may have been withdrawn since; null for the
  ///   newest, which must still be working
  record Fill(String id, String fillId, @Nullable Integer step, double volume, double price)
      implements Request {

    /// Tells of a fill of the newest child order.
    public Fill(String id, String fillId, double volume, double price) {
      this(id, fillId, null, volume, price);
    }
  }

  /// Ends an order. Answer: [Answer.OrderState].
  record Cancel(String id) implements Request {}

  /// Asks how an order stands. Answer: [Answer.OrderState].
  record Look(String id) implements Request {}

  /// Asks how orders stand, in the order of their ids. Answer: [Answer.Orders].
  ///
  /// @param after the last id that is known already; null to begin
  record ListOrders(@Nullable String after) implements Request {

    /// How many come at once.
    public static final int MOST = 1_000;
  }

  /// Asks which models are loaded, and what they want. Answer: [Answer.Models].
  record ListModels() implements Request {}

  /// Ends days: their open orders expire, and the service forgets them. The oldest day of an
  /// instrument also ends when it has too many. Nothing is taken for a day that has ended. Answer:
  /// [Answer.Done].
  ///
  /// @param instrument null for all
  /// @param upTo the last day that ends
  record EndDays(@Nullable String instrument, LocalDate upTo) implements Request {}

  /// What only those who run the service may ask for. Answer: [Answer.Done].
  sealed interface Admin extends Request {}

  /// Turns trading off or on again: while it is off, every decision is 0.
  ///
  /// @param name of the model or instrument; null for everything
  record Switch(Scope scope, @Nullable String name, boolean isOff) implements Admin {
    public Switch {
      if ((scope == Scope.ALL) != (name == null)) {
        throw new IllegalArgumentException(
            "name must be given for a model or an instrument alone, was %s of %s"
                .formatted(name, scope));
      }
    }
  }

  /// What is switched off.
  enum Scope {
    ALL,
    MODEL,
    INSTRUMENT
  }

  /// Loads a bundle of the model folder: verified and warmed up before its first order.
  ///
  /// @param model `name@version`, the file's name without its suffix
  record Load(String model) implements Admin {}

  /// Unloads a model. Refused while an order uses it or the route leads to it.
  record Unload(String model) implements Admin {}

  /// Says which models new orders go to.
  record SetRoute(Route route) implements Admin {}
}
