package io.tranche.serving;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.runtime.BarAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the service answers. Whatever changed something is durable before its answer is given.
public sealed interface Answer {

  /// A day is open.
  record DayOpen(String instrument) implements Answer {}

  /// What became of a bar.
  record BarTaken(BarAnswer answer) implements Answer {}

  /// How an order stands.
  ///
  /// @param model which one decides, with its version
  /// @param nextStep the number of the next decision
  /// @param isDue whether it can be taken now
  /// @param averagePrice NaN as long as nothing is filled
  /// @param filled more than `amount` if late fills came on top of a newer child order
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
      double filled)
      implements Answer {}

  /// How orders stand.
  ///
  /// @param isWhole whether there are no more
  record Orders(List<OrderState> states, boolean isWhole) implements Answer {
    public Orders {
      states = List.copyOf(states);
    }
  }

  /// The models that are loaded, by their names.
  record Models(List<Model> models) implements Answer {
    public Models {
      models = List.copyOf(models);
    }
  }

  /// What a model wants of its clients.
  ///
  /// @param name `name@version`
  /// @param fields that bars must have
  /// @param earlierDays how many days before a day it looks back on
  /// @param ticksPerStep how many ticks lie between two decisions, counted from the day's first
  /// @param maxSteps how many decisions an order takes at most
  /// @param isQlib whether it was trained under Qlib's names: then its last decision need not ask
  ///   for all that remains
  record Model(
      String name,
      Session session,
      Frequency frequency,
      List<String> fields,
      int earlierDays,
      int ticksPerStep,
      int maxSteps,
      boolean isQlib) {
    public Model {
      fields = List.copyOf(fields);
    }
  }

  /// A child order to send, whose predecessor is to be withdrawn.
  ///
  /// @param volume often 0
  /// @param limitOffsetBps how much better than the reference its limit is; null for a market order
  /// @param source who decided
  /// @param limited the name of the limit that made it smaller than `source` wanted; null for none
  record Child(
      String id,
      int step,
      double volume,
      @Nullable Double limitOffsetBps,
      Source source,
      @Nullable String limited)
      implements Answer {}

  /// Who decided.
  enum Source {
    MODEL,
    /// The model did not answer in time, or failed.
    TWAP,
    /// Trading is switched off for the model, the instrument, or everything.
    KILL_SWITCH
  }

  /// It is as was asked for.
  ///
  /// @param message for people
  record Done(String message) implements Answer {}

  /// It was not done, and nothing has changed; but see [Reason#UNAVAILABLE].
  record Refused(Reason reason, String message) implements Answer {}

  /// Why something was not done.
  enum Reason {
    /// The request contradicts itself, an earlier one, or the rules.
    INVALID,
    /// There is no such order, day or model.
    UNKNOWN,
    /// The same id came before with other contents.
    CONFLICT,
    /// No decision is due.
    NOT_DUE,
    /// Too much is waiting; try again later.
    OVERLOADED,
    /// Nothing can be made durable, so nothing is acknowledged. Whether it was done will be seen:
    /// the same request again, later, gets the answer.
    UNAVAILABLE
  }
}
