package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.market.Calendar;
import io.tranche.market.Order;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The outermost strategy: decides each day on that day's orders of a list, ordered by instrument.
/// Qlib: `FileOrderStrategy`, and `SingleOrderStrategy` for a list of one.
public final class OrderListStrategy implements Strategy {

  private final Map<LocalDate, List<Order>> days = new TreeMap<>();
  private final TradeRange range;

  /// @param orders whose dates, sides and amounts count; `range` says when they trade
  public OrderListStrategy(List<Order> orders, TradeRange range) {
    for (Order order : orders) {
      days.computeIfAbsent(order.date(), _ -> new ArrayList<>()).add(order);
    }
    days.values().forEach(day -> day.sort(Comparator.comparing(Order::instrument)));
    this.range = range;
  }

  @Override
  public TradeDecision decide(Level level, @Nullable List<ExchangeFill> last) {
    StepCalendar steps = level.steps();
    List<Order> orders = days.getOrDefault(day(level.bars(), steps.stepStart()), List.of());
    if (orders.isEmpty()) {
      return TradeDecision.EMPTY;
    }
    var children = new ArrayList<ExchangeOrder>(orders.size());
    for (Order order : orders) {
      children.add(
          ExchangeOrder.market(
              order.instrument(),
              order.side(),
              order.amount(),
              steps.stepStart(),
              steps.stepEnd()));
    }
    return new TradeDecision(children, range);
  }

  /// Returns the trading day that begins at or after `time`.
  private static LocalDate day(Calendar bars, long time) {
    int bar = bars.ceiling(time);
    return bar < bars.size() ? bars.date(bars.dayOfBar(bar)) : LocalDate.MIN;
  }
}
