package io.tranche.dashboard.orders;

import io.tranche.analysis.record.RecordedOrder;
import io.tranche.analysis.record.RecordedOrders;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The orders of a record, filtered, sorted and paged. Columns are read when they are needed, and
/// the newest few are kept: a million orders take some tens of megabytes. Any thread may call it.
public final class OrderTable implements AutoCloseable {

  private static final int KEPT = 3;

  /// What orders can be sorted by.
  public static final Set<String> SORTED =
      Set.of(
          "advantage", "net", "cost", "completion", "amount", "participation", "start", "net:TWAP");

  /// Which orders are wanted.
  ///
  /// @param instrument a part of the name, in any case; null for all
  /// @param atLeast the smallest size, as a part of the market's volume; NaN for any
  public record Wish(
      String sort,
      boolean isDescending,
      @Nullable String instrument,
      @Nullable LocalDate day,
      @Nullable Side side,
      double atLeast,
      double atMost,
      boolean onlyRecorded) {

    boolean isAll() {
      return instrument == null
          && day == null
          && side == null
          && Double.isNaN(atLeast)
          && Double.isNaN(atMost)
          && !onlyRecorded;
    }
  }

  private final RecordedOrders orders;
  private final Map<String, int[]> ranks = new LinkedHashMap<>(8, 0.75f, true);
  private int @Nullable [] instruments;
  private byte @Nullable [] sides;
  private long @Nullable [] starts;
  private @Nullable BitSet recorded;
  private double @Nullable [] sizes;

  public OrderTable(RecordedOrders orders) {
    this.orders = orders;
  }

  public RecordedOrders orders() {
    return orders;
  }

  /// Returns a page of the orders that are wanted, and how many there are.
  ///
  /// @throws io.tranche.market.DataException if the record is damaged
  public Map<String, Object> page(Wish wish, int offset, int limit) {
    int[] ranked = ranked(wish.sort());
    var chosen = new ArrayList<Integer>();
    int found = 0;
    if (wish.isAll()) {
      found = ranked.length;
      for (int i = offset; i < Math.min((long) offset + limit, ranked.length); i++) {
        chosen.add(ranked[wish.isDescending() ? ranked.length - 1 - i : i]);
      }
    } else {
      Filter filter = filter(wish);
      for (int i = 0; i < ranked.length; i++) {
        int order = ranked[wish.isDescending() ? ranked.length - 1 - i : i];
        if (filter.matches(order)) {
          if (found >= offset && chosen.size() < limit) {
            chosen.add(order);
          }
          found++;
        }
      }
    }
    var page = new LinkedHashMap<String, Object>();
    page.put("total", ranked.length);
    page.put("found", found);
    page.put("offset", offset);
    page.put("recorded", orders.header().recorded());
    page.put("references", orders.header().references());
    page.put("rows", chosen.stream().map(this::row).toList());
    return page;
  }

  /// Returns one order as a row.
  public Map<String, Object> row(int index) {
    Order order = orders.order(index);
    var row = new LinkedHashMap<String, Object>();
    row.put("index", index);
    row.put("instrument", order.instrument());
    row.put("side", order.side().name());
    row.put("day", order.date().toString());
    row.put("start", order.start().toString());
    row.put("end", order.end().toString());
    row.put("amount", order.amount());
    for (String column :
        List.of(
            "filled",
            "completion",
            "price",
            "benchmark",
            "advantage",
            "cost",
            "net",
            "participation")) {
      row.put(column, orders.number(column, index));
    }
    var references = new LinkedHashMap<String, Double>();
    for (String name : orders.header().references()) {
      references.put(name, orders.number(RecordedOrders.NET + name, index));
    }
    row.put("references", references);
    row.put("recorded", orders.isRecorded(index));
    return row;
  }

  /// Returns one order with its decisions; null if they were not recorded.
  public @Nullable RecordedOrder steps(int index) {
    return orders.steps(index);
  }

  private synchronized int[] ranked(String column) {
    int[] known = ranks.get(column);
    if (known != null) {
      return known;
    }
    double[] keys = keys(column);
    int[] sorted = sorted(keys);
    ranks.put(column, sorted);
    if (ranks.size() > KEPT) {
      ranks.remove(ranks.keySet().iterator().next());
    }
    return sorted;
  }

  private double[] keys(String column) {
    if (!column.equals(RecordedOrders.START)) {
      return orders.numbers(column);
    }
    long[] times = starts();
    double[] keys = new double[times.length];
    Arrays.setAll(keys, i -> times[i]);
    return keys;
  }

  /// Returns the places of keys from the lowest to the highest; those that are not known come
  /// first.
  static int[] sorted(double[] keys) {
    long[] packed = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      int bits = Float.floatToIntBits((float) keys[i]);
      // An order of bits that is the order of numbers; NaN lowest.
      int ordered =
          Double.isNaN(keys[i]) ? Integer.MIN_VALUE : bits >= 0 ? bits : ~bits ^ (1 << 31);
      packed[i] = ((long) ordered << 32) | i;
    }
    Arrays.sort(packed);
    int[] places = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      int place = (int) packed[i];
      int to = i;
      // Numbers that are the same as floats are few, and next to each other.
      while (to > 0 && keys[places[to - 1]] > keys[place]) {
        places[to] = places[to - 1];
        to--;
      }
      places[to] = place;
    }
    return places;
  }

  /// Whether an order is wanted.
  @FunctionalInterface
  private interface Filter {
    boolean matches(int order);
  }

  private synchronized Filter filter(Wish wish) {
    var filters = new ArrayList<Filter>();
    String part = wish.instrument();
    if (part != null) {
      int[] numbers = instruments();
      List<String> names = orders.header().instruments();
      boolean[] fits = new boolean[names.size()];
      for (int i = 0; i < fits.length; i++) {
        fits[i] = contains(names.get(i), part);
      }
      filters.add(order -> fits[numbers[order]]);
    }
    if (wish.day() != null) {
      long from = BarTime.of(wish.day().atStartOfDay());
      long to = BarTime.of(wish.day().plusDays(1).atStartOfDay());
      long[] times = starts();
      filters.add(order -> times[order] >= from && times[order] < to);
    }
    if (wish.side() != null) {
      int code = wish.side().code();
      byte[] codes = sides();
      filters.add(order -> codes[order] == code);
    }
    if (!Double.isNaN(wish.atLeast()) || !Double.isNaN(wish.atMost())) {
      double[] parts = sizes();
      filters.add(order -> !(parts[order] < wish.atLeast()) && !(parts[order] > wish.atMost()));
    }
    if (wish.onlyRecorded()) {
      filters.add(recorded()::get);
    }
    Filter[] all = filters.toArray(Filter[]::new);
    return order -> {
      for (Filter each : all) {
        if (!each.matches(order)) {
          return false;
        }
      }
      return true;
    };
  }

  private static boolean contains(String name, String part) {
    for (int i = 0; i + part.length() <= name.length(); i++) {
      if (name.regionMatches(true, i, part, 0, part.length())) {
        return true;
      }
    }
    return false;
  }

  private int[] instruments() {
    int[] known = instruments;
    if (known == null) {
      known = orders.instruments();
      instruments = known;
    }
    return known;
  }

  private byte[] sides() {
    byte[] known = sides;
    if (known == null) {
      known = orders.sides();
      sides = known;
    }
    return known;
  }

  private long[] starts() {
    long[] known = starts;
    if (known == null) {
      known = orders.longs(RecordedOrders.START);
      starts = known;
    }
    return known;
  }

  private BitSet recorded() {
    BitSet known = recorded;
    if (known == null) {
      known = new BitSet();
      long[] places = orders.longs(RecordedOrders.STEPS);
      for (int i = 0; i < places.length; i++) {
        known.set(i, places[i] >= 0);
      }
      recorded = known;
    }
    return known;
  }

  private double[] sizes() {
    double[] known = sizes;
    if (known == null) {
      known = orders.numbers("participation");
      sizes = known;
    }
    return known;
  }

  @Override
  public void close() {
    orders.close();
  }
}
