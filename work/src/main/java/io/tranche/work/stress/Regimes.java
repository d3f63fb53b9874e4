package io.tranche.work.stress;

import io.tranche.backtest.DayTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.OrderPlayer;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Parts of the orders by what the market did in their windows, by time and by instrument. Each is
/// the set of the numbers of its orders.
///
/// @param market by volatility, volume, spread and trend, in thirds, and by missing bars
/// @param others by side, month and instrument
record Regimes(Map<String, BitSet> market, Map<String, BitSet> others) {

  /// What no part is called.
  static final String ALL = "all orders";

  /// More would make the correction for their number too hard.
  private static final int MOST_INSTRUMENTS = 20;

  /// What the market did in the window of an order.
  private record Market(
      double volatility, double volume, double spread, double trend, boolean hasGaps) {}

  static Regimes of(OrderPlayer player) {
    List<Order> orders = player.orders();
    List<Market> windows =
        orders.stream().map(order -> market(player.open(order).state())).toList();
    var market = new LinkedHashMap<String, BitSet>();
    thirds(market, windows, Market::volatility, "calm", "usual volatility", "volatile");
    thirds(
        market,
        relativeVolumes(orders, windows),
        Double::doubleValue,
        "thin",
        "usual volume",
        "busy");
    thirds(market, windows, Market::trend, "falling", "flat", "rising");
    thirds(market, windows, Market::spread, "narrow spread", "usual spread", "wide spread");
    BitSet gaps = where(windows, Market::hasGaps);
    put(market, "halts or missing bars", gaps, orders.size());
    var others = new LinkedHashMap<>(sides(orders));
    groups(orders, order -> YearMonth.from(order.date()).toString())
        .forEach((name, part) -> put(others, name, part, orders.size()));
    Map<String, BitSet> instruments = groups(orders, Order::instrument);
    instruments.entrySet().stream()
        .limit(MOST_INSTRUMENTS)
        .forEach(each -> put(others, each.getKey(), each.getValue(), orders.size()));
    return new Regimes(market, others);
  }

  /// Returns the orders of each side, where there are both.
  static Map<String, BitSet> sides(List<Order> orders) {
    var sides = new LinkedHashMap<String, BitSet>();
    for (Side side : Side.values()) {
      put(
          sides,
          side == Side.BUY ? "buys" : "sells",
          where(orders, order -> order.side() == side),
          orders.size());
    }
    return sides;
  }

  private static Market market(ExecutionState state) {
    DayTicks ticks = state.ticks();
    double first = Double.NaN;
    double last = Double.NaN;
    double squares = 0;
    double volume = 0;
    double spread = 0;
    int quotes = 0;
    boolean hasGaps = false;
    for (int tick = state.firstTick(); tick < state.endTick(); tick++) {
      double price = ticks.price(tick);
      if (ticks.isMissing(tick) || !(price > 0)) {
        hasGaps = true;
        continue;
      }
      if (last > 0) {
        squares += Math.pow(Math.log(price / last), 2);
      } else {
        first = price;
      }
      last = price;
      volume += Math.max(0, ticks.volume(tick));
      double width = ticks.ask(tick) - ticks.bid(tick);
      if (width >= 0) {
        spread += width / price;
        quotes++;
      }
    }
    int count = state.endTick() - state.firstTick();
    return new Market(
        Math.sqrt(squares / count),
        volume / count,
        quotes == 0 ? Double.NaN : spread / quotes,
        Math.log(last / first),
        hasGaps);
  }

  /// Returns the volume of each window in units of its instrument's mean.
  private static List<Double> relativeVolumes(List<Order> orders, List<Market> windows) {
    var means = new TreeMap<String, double[]>();
    for (int i = 0; i < orders.size(); i++) {
      double[] sum = means.computeIfAbsent(orders.get(i).instrument(), _ -> new double[2]);
      sum[0] += windows.get(i).volume();
      sum[1]++;
    }
    var relative = new ArrayList<Double>();
    for (int i = 0; i < orders.size(); i++) {
      double[] sum = means.getOrDefault(orders.get(i).instrument(), new double[] {1, 1});
      relative.add(windows.get(i).volume() / (sum[0] / sum[1]));
    }
    return relative;
  }

  /// Cuts orders in three by a number; nothing if it is unknown or always the same.
  private static <T> void thirds(
      Map<String, BitSet> parts,
      List<T> windows,
      ToDoubleFunction<T> number,
      String low,
      String middle,
      String high) {
    double[] sorted =
        windows.stream().mapToDouble(number).filter(Double::isFinite).sorted().toArray();
    if (sorted.length < windows.size() || sorted.length == 0) {
      return;
    }
    double lower = sorted[sorted.length / 3];
    double upper = sorted[2 * sorted.length / 3];
    put(parts, low, where(windows, each -> number.applyAsDouble(each) < lower), sorted.length);
    put(
        parts,
        middle,
        where(
            windows,
            each -> number.applyAsDouble(each) >= lower && number.applyAsDouble(each) < upper),
        sorted.length);
    put(parts, high, where(windows, each -> number.applyAsDouble(each) >= upper), sorted.length);
  }

  private static <T> BitSet where(List<T> all, Predicate<T> condition) {
    var chosen = new BitSet();
    IntStream.range(0, all.size()).filter(i -> condition.test(all.get(i))).forEach(chosen::set);
    return chosen;
  }

  private static Map<String, BitSet> groups(List<Order> orders, Function<Order, String> name) {
    var groups = new TreeMap<String, BitSet>();
    for (int i = 0; i < orders.size(); i++) {
      groups.computeIfAbsent(name.apply(orders.get(i)), _ -> new BitSet()).set(i);
    }
    return groups;
  }

  /// A part that is empty, or everything, is no condition of its own.
  private static void put(Map<String, BitSet> parts, String name, BitSet part, int all) {
    if (!part.isEmpty() && part.cardinality() < all) {
      parts.put(name, part);
    }
  }
}
