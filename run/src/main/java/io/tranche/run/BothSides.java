package io.tranche.run;

import io.tranche.market.Order;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.List;

/// Orders that come in pairs: each beside the same order of the other side.
///
/// In training there is twice as much to learn from, and the market's drift, which is different
/// next month, pays one of a pair what it takes from the other. In a test it does the same, so that
/// differences show skill and not how many sells there happened to be on a day that rose.
public final class BothSides {

  private BothSides() {}

  /// Returns every order followed by its opposite.
  public static List<Order> of(List<Order> orders) {
    var pairs = new ArrayList<Order>(2 * orders.size());
    for (Order order : orders) {
      pairs.add(order);
      pairs.add(
          new Order(
              order.instrument(),
              order.side() == Side.BUY ? Side.SELL : Side.BUY,
              order.amount(),
              order.start(),
              order.end()));
    }
    return pairs;
  }
}
