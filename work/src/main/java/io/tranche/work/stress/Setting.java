package io.tranche.work.stress;

import io.tranche.env.Observation;
import io.tranche.execution.TickSource;
import io.tranche.market.Order;
import io.tranche.run.play.Candidate;
import java.util.List;

/// An agent with orders and bars other than the run's own: judged with the run's frictions.
///
/// @param name such as `volatility x 2`
/// @param ticks what orders are filled at
/// @param agent as it sees these bars
/// @param <O> what the agent sees
public record Setting<O extends Observation>(
    String name, TickSource ticks, Candidate<O> agent, List<Order> orders) {

  public Setting {
    orders = List.copyOf(orders);
  }
}
