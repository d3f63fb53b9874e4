package io.tranche.backtest.executor;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Sends each order of a step to the exchange as a whole. Qlib: `SimulatorExecutor`.
final class BarLeaf implements Leaf {

  private final Account account;
  private final boolean buysFirst;
  private final Map<String, double[]> filledToday = new HashMap<>();
  private long today = Long.MIN_VALUE;

  /// @param buysFirst whether purchases go first, so that they cannot use the proceeds of sales.
  ///   Qlib: trade type `parallel`
  BarLeaf(Account account, boolean buysFirst) {
    this.account = account;
    this.buysFirst = buysFirst;
  }

  @Override
  public boolean fillsOnce() {
    return true;
  }

  @Override
  public List<ExchangeFill> fill(Level level, TradeDecision decision) {
    List<ExchangeOrder> orders = decision.orders();
    if (orders.isEmpty()) {
      return List.of();
    }
    long day = Math.floorDiv(level.steps().stepStart(), BarTime.SECONDS_A_DAY);
    if (day > today) {
      today = day;
      filledToday.clear();
    }
    var fills = new ArrayList<ExchangeFill>(orders.size());
    if (buysFirst) {
      orders.stream()
          .filter(order -> order.side() == Side.BUY)
          .forEach(t -> fills.add(fill(level, t)));
      orders.stream()
          .filter(order -> order.side() == Side.SELL)
          .forEach(t -> fills.add(fill(level, t)));
    } else {
      for (ExchangeOrder order : orders) {
        fills.add(fill(level, order));
      }
    }
    return fills;
  }

  private ExchangeFill fill(Level level, ExchangeOrder order) {
    if (!(order.kind() instanceof Kind.Market)) {
      throw new IllegalArgumentException("order must be a market order, was " + order.kind());
    }
    double[] filled = filledToday.computeIfAbsent(order.instrument(), _ -> new double[1]);
    ExchangeFill fill = level.exchange().fill(order, account, filled[0]);
    filled[0] += fill.amount();
    return fill;
  }
}
