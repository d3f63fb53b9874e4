package io.tranche.backtest;

import java.util.List;

/// What keeps an order from filling its whole volume at the price it sees. Each part works alone
/// and with the others; Qlib's simple simulator has all of them off.
///
/// @param participation the fraction of a tick's volume that may be filled; infinite is off
/// @param lot fills are whole multiples of this; 0 is off
/// @param priceLimit buying is blocked where the price is up by this fraction since the previous
///   close, selling where it is down by it; infinite is off
/// @param costs fees, in addition to the price
/// @param impacts how trading moves the price; they add up
/// @param latency how many ticks a decision takes to reach the market: it cannot trade in the first
///   ticks of its step
public record Frictions(
    double participation,
    double lot,
    double priceLimit,
    Costs costs,
    List<Impact> impacts,
    int latency) {

  public static final Frictions NONE =
      new Frictions(
          Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY, Costs.NONE, List.of(), 0);

  public Frictions {
    if (!(participation >= 0)) {
      throw new IllegalArgumentException(
          "participation must not be negative, was " + participation);
    }
    Costs.requireNotNegative("lot", lot);
    if (!(priceLimit > 0)) {
      throw new IllegalArgumentException("priceLimit must be positive, was " + priceLimit);
    }
    if (latency < 0) {
      throw new IllegalArgumentException("latency must not be negative, was " + latency);
    }
    impacts = List.copyOf(impacts);
    if (impacts.stream().filter(Impact.Transient.class::isInstance).count() > 1) {
      throw new IllegalArgumentException(
          "impacts must have at most one that is transient, was " + impacts);
    }
  }

  public Frictions withParticipation(double fraction) {
    return new Frictions(fraction, lot, priceLimit, costs, impacts, latency);
  }

  public Frictions withLot(double shares) {
    return new Frictions(participation, shares, priceLimit, costs, impacts, latency);
  }

  public Frictions withPriceLimit(double fraction) {
    return new Frictions(participation, lot, fraction, costs, impacts, latency);
  }

  public Frictions withCosts(Costs fees) {
    return new Frictions(participation, lot, priceLimit, fees, impacts, latency);
  }

  public Frictions withImpacts(Impact... parts) {
    return new Frictions(participation, lot, priceLimit, costs, List.of(parts), latency);
  }

  public Frictions withLatency(int ticks) {
    return new Frictions(participation, lot, priceLimit, costs, impacts, ticks);
  }
}
