package io.tranche.serving;

import io.tranche.backtest.Frictions;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.runtime.BarAnswer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An answer of the service. A change is durable before its answer is given.
public sealed interface Answer {

  /// A day is open.
  record DayOpen(String instrument) implements Answer {}

  /// The answer to a bar.
  record BarTaken(BarAnswer answer) implements Answer {}

  /// The state of an order.
  ///
  /// @param model the model that decides, as `name@version`
  /// @param nextStep the number of the next decision
  /// @param isDue whether that decision can be taken now
  /// @param working what the newest child order may still fill
  /// @param averagePrice of all fills; NaN before the first
  /// @param filled may exceed `amount`, because whatever the market filled is booked
  /// @param phase [Phase#PENDING_CANCEL] if the order is over, but something is out
  /// @param out what all child orders may still fill in the market, also those to be withdrawn
  /// @param account null for none
  record OrderState(
      String id,
      String model,
      Status status,
      double amount,
      double remaining,
      double working,
      double averagePrice,
      int nextStep,
      boolean isDue,
      double filled,
      Phase phase,
      double out,
      String instrument,
      Side side,
      LocalDate date,
      LocalDateTime start,
      LocalDateTime end,
      @Nullable String account)
      implements Answer {

    /// Returns the state of an order before its first decision, for services of tests.
    public static OrderState opened(Request.OpenOrder order, String model) {
      return new OrderState(
          order.id(),
          model,
          Status.WORKING,
          order.amount(),
          order.amount(),
          0,
          Double.NaN,
          0,
          true,
          0,
          Phase.PENDING_NEW,
          0,
          order.instrument(),
          order.side(),
          order.date(),
          order.start(),
          order.end(),
          order.account());
    }

    /// Returns this state with other fills and nothing out in the market, for services of tests.
    public OrderState withFills(Status reached, double left, double price) {
      return new OrderState(
          id,
          model,
          reached,
          amount,
          left,
          0,
          price,
          nextStep,
          !reached.isFinal(),
          amount - left,
          reached.isFinal() ? Phase.DONE : Phase.WORKING,
          0,
          instrument,
          side,
          date,
          start,
          end,
          account);
    }
  }

  /// The state of a child order.
  ///
  /// @param filled may exceed `volume`
  record ChildState(
      int step,
      double volume,
      double filled,
      Phase phase,
      Source source,
      @Nullable String limited) {}

  /// An order with its child orders, by step, and fills, in the order in which they came.
  record Details(OrderState state, List<ChildState> children, List<Request.Fill> fills)
      implements Answer {
    public Details {
      children = List.copyOf(children);
      fills = List.copyOf(fills);
    }
  }

  /// The limits in force.
  record LimitsInForce(List<Request.SetLimits> limits) implements Answer {
    public LimitsInForce {
      limits = List.copyOf(limits);
    }
  }

  /// Fills of orders that are not known, oldest first.
  record UnmatchedFills(List<Request.Fill> fills) implements Answer {
    public UnmatchedFills {
      fills = List.copyOf(fills);
    }
  }

  /// The states of orders.
  ///
  /// @param isWhole whether these are the last ones
  record Orders(List<OrderState> states, boolean isWhole) implements Answer {
    public Orders {
      states = List.copyOf(states);
    }
  }

  /// The loaded models, by name.
  record Models(List<Model> models) implements Answer {
    public Models {
      models = List.copyOf(models);
    }
  }

  /// What is switched off.
  record Switches(List<Request.Switch> off) implements Answer {
    public Switches {
      off = List.copyOf(off);
    }
  }

  /// What a model needs from its clients.
  ///
  /// @param name `name@version`
  /// @param fields the fields that bars must have
  /// @param earlierDays how many days before the current one it needs
  /// @param ticksPerStep how many ticks there are between two decisions, counted from the day's
  ///   first tick
  /// @param maxSteps the largest number of decisions per order
  /// @param isQlib whether it was trained with a configuration in Qlib's dialect; its last decision
  ///   then need not ask for all that remains
  /// @param sessions the hours of the instruments that have others than `session`
  /// @param frictions of the simulator that it was trained in, for clients that assume fills
  record Model(
      String name,
      Session session,
      Frequency frequency,
      List<String> fields,
      int earlierDays,
      int ticksPerStep,
      int maxSteps,
      boolean isQlib,
      Map<String, Session> sessions,
      Frictions frictions) {
    public Model {
      fields = List.copyOf(fields);
      sessions = Collections.unmodifiableMap(new TreeMap<>(sessions));
    }

    /// Returns the hours of an instrument.
    public Session session(String instrument) {
      Session own = sessions.get(instrument);
      return own == null ? session : own;
    }
  }

  /// A child order to send. It replaces the previous one, which must be withdrawn.
  ///
  /// @param volume often 0
  /// @param limitOffsetBps how much better than the reference price its limit is; null for a market
  ///   order
  /// @param source who decided
  /// @param limited the name of the limit that reduced the volume; null for none
  /// @param referencePrice what `limitOffsetBps` is counted from, the newest close; null for a
  ///   market order
  /// @param limitPrice at which it trades at worst, a multiple of the tick size; null for a market
  ///   order
  record Child(
      String id,
      int step,
      double volume,
      @Nullable Double limitOffsetBps,
      Source source,
      @Nullable String limited,
      @Nullable Double referencePrice,
      @Nullable Double limitPrice)
      implements Answer {

    /// A market order, or a limit order whose reference price is not known.
    public Child(
        String id,
        int step,
        double volume,
        @Nullable Double limitOffsetBps,
        Source source,
        @Nullable String limited) {
      this(id, step, volume, limitOffsetBps, source, limited, null, null);
    }
  }

  /// The source of a decision.
  enum Source {
    MODEL,
    /// The model did not answer in time, or failed.
    TWAP,
    /// Trading is switched off for the model, the instrument, or everything.
    KILL_SWITCH
  }

  /// The request was carried out.
  ///
  /// @param message for human readers
  record Done(String message) implements Answer {}

  /// The request was refused, and nothing has changed; but see [Reason#UNAVAILABLE].
  record Refused(Reason reason, String message) implements Answer {}

  /// Why a request was refused.
  enum Reason {
    /// The request contradicts itself, an earlier one, or the rules.
    INVALID,
    /// There is no such order, day or model.
    UNKNOWN,
    /// The same id was used before with other contents.
    CONFLICT,
    /// No decision is due.
    NOT_DUE,
    /// A limit or a halt forbids it.
    RISK,
    /// A second person must send the same request.
    UNCONFIRMED,
    /// The order of a fill is not known. The fill is kept as unmatched: do not repeat it.
    UNMATCHED,
    /// Too many requests are waiting; try again later.
    OVERLOADED,
    /// The journal cannot be written, so nothing can be acknowledged. Repeat the request later to
    /// learn whether the change was made.
    UNAVAILABLE
  }
}
