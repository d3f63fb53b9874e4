package io.tranche.backtest.executor;

import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.exchange.Quotes;
import io.tranche.backtest.executor.IndicatorConfig.Base;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Adds up what the steps below did, until the step above is over and can be measured.
///
/// As in Qlib, an instrument has one line per step: a second order replaces the line of the first
/// (quirk Q33).
final class IndicatorSums {

  /// Prices up to this count as missing. Qlib: `_get_base_vol_pri`.
  private static final double NO_PRICE = 1e-8;

  /// A step of the level below, with or without orders.
  ///
  /// @param indicators of the step; null at the lowest level
  private record Step(
      long start, long end, @Nullable TradeRange range, @Nullable StepIndicators indicators) {}

  private static final class Sum {
    double innerAmount;
    double filledAmount;
    double priceAmount;
    double tradeValue;
    double tradeCost;
    double tradeDirection;
  }

  private final Exchange exchange;
  private final IndicatorConfig config;
  private final Map<String, Sum> sums = new TreeMap<>();
  private final List<Step> steps = new ArrayList<>();

  IndicatorSums(Exchange exchange, IndicatorConfig config) {
    this.exchange = exchange;
    this.config = config;
  }

  void clear() {
    sums.clear();
    steps.clear();
  }

  /// Adds a step of the lowest level.
  ///
  /// @param lastCounts whether only the last of several fills of an instrument counts
  void add(
      long start,
      long end,
      @Nullable TradeRange range,
      List<ExchangeFill> fills,
      boolean lastCounts) {
    steps.add(new Step(start, end, range, null));
    for (int i = 0; i < fills.size(); i++) {
      ExchangeFill fill = fills.get(i);
      ExchangeOrder order = fill.order();
      if (!lastCounts || !isReplaced(fills, i)) {
        add(
            order.instrument(),
            order.signedAmount(),
            fill.signedAmount(),
            fill.price(),
            fill.signedValue(),
            fill.cost(),
            order.side().code());
      }
    }
  }

  private static boolean isReplaced(List<ExchangeFill> fills, int index) {
    String instrument = fills.get(index).order().instrument();
    for (int i = index + 1; i < fills.size(); i++) {
      if (fills.get(i).order().instrument().equals(instrument)) {
        return true;
      }
    }
    return false;
  }

  /// Adds a step of a level that has levels below.
  void add(long start, long end, @Nullable TradeRange range, StepIndicators indicators) {
    steps.add(new Step(start, end, range, indicators));
    for (Line line : indicators.lines()) {
      if (line.isSubmitted()) {
        add(
            line.instrument(),
            line.innerAmount(),
            line.filledAmount(),
            line.tradePrice(),
            line.tradeValue(),
            line.tradeCost(),
            line.tradeDirection());
      }
    }
  }

  private void add(
      String instrument,
      double innerAmount,
      double filledAmount,
      double price,
      double value,
      double cost,
      double direction) {
    Sum sum = sums.computeIfAbsent(instrument, _ -> new Sum());
    sum.innerAmount += innerAmount;
    sum.filledAmount += filledAmount;
    sum.priceAmount += Double.isNaN(price) ? 0 : filledAmount * price;
    sum.tradeValue += value;
    sum.tradeCost += cost;
    sum.tradeDirection += direction;
  }

  /// Measures the step above, which executed `decision`.
  StepIndicators measure(long time, TradeDecision decision) {
    var amounts = new TreeMap<String, Double>();
    for (ExchangeOrder order : decision.orders()) {
      amounts.put(order.instrument(), order.signedAmount());
    }
    var lines = new ArrayList<Line>();
    sums.forEach(
        (instrument, sum) ->
            lines.add(submitted(time, instrument, sum, amounts.remove(instrument))));
    amounts.forEach((instrument, amount) -> lines.add(untouched(instrument, amount)));
    if (!amounts.isEmpty()) {
      lines.sort((one, other) -> one.instrument().compareTo(other.instrument()));
    }
    return StepIndicators.of(time, lines, config);
  }

  private Line submitted(long time, String instrument, Sum sum, @Nullable Double amount) {
    double price = sum.filledAmount == 0 ? Double.NaN : sum.priceAmount / sum.filledAmount;
    Side side = sum.tradeDirection > 0 ? Side.BUY : Side.SELL;
    double[] prices = new double[steps.size()];
    double[] volumes = new double[steps.size()];
    for (int i = 0; i < prices.length; i++) {
      setBase(steps.get(i), instrument, side, prices, volumes, i);
    }
    double baseVolume = Sums.sum(volumes, 0, volumes.length, Gaps.SKIP);
    if (!(baseVolume > 0)) {
      throw new DataException(
          "%s at %s".formatted(instrument, BarTime.format(time)),
          "a price within the trading window to compare with",
          "none");
    }
    double basePrice = Sums.dot(prices, 0, volumes, 0, prices.length, Gaps.SKIP) / baseVolume;
    return new Line(
        instrument,
        sum.innerAmount,
        sum.filledAmount,
        price,
        sum.tradeValue,
        sum.tradeCost,
        side.code(),
        amount == null ? Double.NaN : amount,
        amount == null ? Double.NaN : sum.filledAmount / amount,
        baseVolume,
        basePrice,
        (1 - 2 * side.code()) * (price / basePrice - 1));
  }

  private static Line untouched(String instrument, double amount) {
    double none = Double.NaN;
    return new Line(
        instrument, none, none, none, none, none, none, amount, 0 / amount, none, none, none);
  }

  private void setBase(
      Step step, String instrument, Side side, double[] prices, double[] volumes, int index) {
    Line below = step.indicators() == null ? null : line(step.indicators(), instrument);
    if (below != null && !Double.isNaN(below.basePrice())) {
      prices[index] = below.basePrice();
      volumes[index] = below.baseVolume();
      return;
    }
    Quotes quotes = exchange.quotes(instrument);
    if (quotes == null) {
      return;
    }
    TradeRange range = step.range();
    long start = range == null ? step.start() : range.clipStart(step.start());
    long end = range == null ? step.end() : range.clipEnd(step.start(), step.end());
    int from = quotes.from(start);
    // A window that ends before the step begins is its first bar, as in Qlib.
    int to = quotes.to(Math.max(start, end));
    double weighted = 0;
    double weights = 0;
    for (int row = from; row < to; row++) {
      double price = quotes.price(side, row);
      double weight = config.base() == Base.TWAP ? 1 : quotes.volume(row);
      if (price > NO_PRICE && !Double.isNaN(weight)) {
        weighted += price * weight;
        weights += weight;
      }
    }
    prices[index] = weighted / weights;
    volumes[index] = weights;
  }

  private static @Nullable Line line(StepIndicators indicators, String instrument) {
    for (Line line : indicators.lines()) {
      if (line.instrument().equals(instrument)) {
        return line;
      }
    }
    return null;
  }
}
