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
  /// that nobody opened begins without any when its first bar or order comes.
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

  /// A bar of a day that is under way.
  ///
  /// @param date the trading day, which is the next one for bars of a night session
  /// @param time of its start
  /// @param fields names in lower case, without dollar sign
  /// @param values one a field; NaN for none
  record Bar(
      String instrument,
      LocalDate date,
      LocalDateTime time,
      List<String> fields,
      List<Float> values)
      implements Request {
    public Bar {
      fields = List.copyOf(fields);
      values = List.copyOf(values);
      if (fields.size() != values.size()) {
        throw new IllegalArgumentException(
            "values must be one a field, was %d of %d".formatted(values.size(), fields.size()));
      }
    }
  }

  /// Opens a parent order.
  ///
  /// @param id the client's own, unique among all orders of the service
  /// @param model which one is to decide; null for what the service routes to
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

  /// Asks for the next child order.
  ///
  /// @param step which decision of the order, 0 the first: the same step again gets the same
  ///   answer; null for the one that is due
  /// @param deadlineMicros how long an answer may take; null for the service's own
  record Decide(String id, @Nullable Integer step, @Nullable Long deadlineMicros)
      implements Request {}

  /// Tells of a fill of the newest child order.
  ///
  /// @param fillId the client's own, unique within the order
  record Fill(String id, String fillId, double volume, double price) implements Request {}

  record Cancel(String id) implements Request {}

  /// Asks how an order stands.
  record Look(String id) implements Request {}
}
