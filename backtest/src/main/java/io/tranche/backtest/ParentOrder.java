package io.tranche.backtest;

/// An order in progress: how much of it is filled, how much is working in the market, and whether
/// it is over. The same class serves simulators, backtests and live orders.
///
/// ```
/// WORKING ──► PARTLY_FILLED ──► DONE
///    └──────────────┴─────────► CANCELLED, EXPIRED
/// ```
///
/// What is working never exceeds what remains, so a decision can never trade more than the order.
/// Used by one thread at a time. Hot path: allocates nothing.
public final class ParentOrder {

  /// The status of an order.
  public enum Status {
    /// Nothing is filled yet.
    WORKING,
    PARTLY_FILLED,
    /// Filled, except for a remainder too small to count.
    DONE,
    CANCELLED,
    /// Its window ended.
    EXPIRED;

    public boolean isFinal() {
      return switch (this) {
        case WORKING, PARTLY_FILLED -> false;
        case DONE, CANCELLED, EXPIRED -> true;
      };
    }
  }

  private final double amount;
  private final double negligible;
  private double remaining;
  private double working;
  private Status status;

  /// @param amount how much to trade
  /// @param negligible a remainder below this, in either direction, is rounding and counts as none
  public ParentOrder(double amount, double negligible) {
    Costs.requireNotNegative("amount", amount);
    Costs.requireNotNegative("negligible", negligible);
    this.amount = amount;
    this.negligible = negligible;
    this.remaining = amount;
    this.status = amount == 0 ? Status.DONE : Status.WORKING;
  }

  /// Restores an order with this state.
  ///
  /// @throws IllegalArgumentException if the state is inconsistent
  public static ParentOrder restored(
      double amount, double negligible, double remaining, double working, Status status) {
    var order = new ParentOrder(amount, negligible);
    boolean fits =
        remaining >= 0
            && remaining <= amount
            && working >= 0
            && working <= remaining
            && (!status.isFinal() || working == 0)
            && (status != Status.DONE || remaining == 0)
            && (status != Status.WORKING || remaining == amount);
    if (!fits) {
      throw new IllegalArgumentException(
          "inconsistent order state: %s with %s of %s left and %s working"
              .formatted(status, remaining, amount, working));
    }
    order.remaining = remaining;
    order.working = working;
    order.status = status;
    return order;
  }

  public double amount() {
    return amount;
  }

  public Status status() {
    return status;
  }

  /// Returns what is not filled.
  public double remaining() {
    return remaining;
  }

  public double filled() {
    return amount - remaining;
  }

  /// Returns what child orders may still fill.
  public double working() {
    return working;
  }

  /// Returns what a decision may ask for: what remains less what is working.
  public double available() {
    return remaining - working;
  }

  /// Sends a child order out.
  ///
  /// @throws IllegalArgumentException if `volume` is negative or more than [#available]
  /// @throws IllegalStateException if the order is over
  public void submit(double volume) {
    requireOpen("submit");
    requireWithin("volume", volume, available());
    working = Math.min(working + Math.max(volume, 0), remaining);
  }

  /// Fills part of what is working.
  ///
  /// @throws IllegalArgumentException if `volume` is negative or more than is working
  /// @throws IllegalStateException if the order is over
  public void fill(double volume) {
    requireOpen("fill");
    requireWithin("fill", volume, working);
    remaining -= volume;
    working = Math.clamp(working - volume, 0, Math.max(remaining, 0));
    settle();
  }

  /// Records a fill of a child order that was withdrawn before, even if it is more than remains:
  /// the market has already filled it. The status of an order that is over does not change.
  ///
  /// @throws IllegalArgumentException if `volume` is not finite and positive
  public void fillLate(double volume) {
    if (!(volume > 0 && volume < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("fill must be finite and positive, was " + volume);
    }
    remaining = Math.max(remaining - volume, 0);
    working = Math.min(working, remaining);
    if (!status.isFinal()) {
      settle();
    }
  }

  private void settle() {
    if (Math.abs(remaining) < negligible || remaining <= 0) {
      remaining = 0;
      working = 0;
      status = Status.DONE;
    } else if (remaining < amount) {
      status = Status.PARTLY_FILLED;
    }
  }

  /// Withdraws what is working: the child order was cancelled or expired.
  public void withdraw() {
    working = 0;
  }

  /// Ends the order on its owner's request.
  ///
  /// @throws IllegalStateException if the order is over
  public void cancel() {
    end(Status.CANCELLED);
  }

  /// Ends the order because its window is over.
  ///
  /// @throws IllegalStateException if the order is over
  public void expire() {
    end(Status.EXPIRED);
  }

  private void end(Status last) {
    requireOpen(last == Status.EXPIRED ? "expire" : "cancel");
    working = 0;
    status = last;
  }

  private void requireOpen(String what) {
    if (status.isFinal()) {
      throw new IllegalStateException(
          "order must be open to %s, was %s with %s of %s left"
              .formatted(what, status, remaining, amount));
    }
  }

  private void requireWithin(String name, double volume, double limit) {
    // Written so that NaN is refused too.
    if (!(volume >= -negligible && volume <= limit + negligible)) {
      throw new IllegalArgumentException(
          "%s must be in [0, %s], was %s".formatted(name, limit, volume));
    }
  }

  @Override
  public String toString() {
    return "ParentOrder[%s, %s of %s left, %s working]"
        .formatted(status, remaining, amount, working);
  }
}
