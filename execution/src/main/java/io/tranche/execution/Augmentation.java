package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.RandomTree;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.feature.DayCache;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.Mirror;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/// How the orders of training are varied, so that there is more to learn from than the few days
/// that there are. Validation, selection and judgement see real days only.
///
/// Besides the orders as they are, training gets [#VARIANTS] variants of each. The instrument of a
/// variant has the variant's number in its name, by which ticks and features find what was drawn
/// for it. Draws depend on the seed, the variant, the instrument and the day, never on threads or
/// on where a run was resumed.
///
/// @param scale the deviation of the logarithm of the factor by which a day's price moves grow
/// @param noise the deviation of normal noise in every feature
/// @param jitterMinutes by how much the start and the end of an order's window move at most, within
///   its day
/// @param bootstrap whether training has as many days as there are, drawn with replacement: some
///   come several times, others never, and each seed has others
public record Augmentation(double scale, double noise, int jitterMinutes, boolean bootstrap) {

  public static final Augmentation NONE = new Augmentation(0, 0, 0, false);

  /// The number of variants of each order, beside itself.
  static final int VARIANTS = 7;

  private static final int DAYS_KEPT = 2048;
  private static final String BEFORE = " (variant ";
  private static final String AFTER = ")";

  public Augmentation {
    if (!(scale >= 0 && noise >= 0 && jitterMinutes >= 0)) {
      throw new IllegalArgumentException(
          "scale, noise and jitterMinutes must not be negative, was %s, %s and %d"
              .formatted(scale, noise, jitterMinutes));
    }
  }

  /// Reads the section `augmentation` of a configuration.
  ///
  /// @throws ConfigException if it is wrong
  public static Augmentation from(ConfigNode section) {
    section.rejectUnknown(NONE.toConfig().keySet().stream().toList());
    ConfigNode jitter = section.optional("jitter_minutes");
    if (jitter != null && jitter.asInt() < 0) {
      throw jitter.wrong("an integer that is not negative");
    }
    return new Augmentation(
        section.notNegativeOr("scale", 0),
        section.notNegativeOr("noise", 0),
        jitter == null ? 0 : jitter.asInt(),
        section.booleanOr("bootstrap", false));
  }

  public Map<String, Object> toConfig() {
    var section = new LinkedHashMap<String, Object>();
    section.put("scale", scale);
    section.put("noise", noise);
    section.put("jitter_minutes", jitterMinutes);
    section.put("bootstrap", bootstrap);
    return section;
  }

  /// Whether ticks or features of variants differ from those of the market.
  public boolean changesDays() {
    return scale > 0 || noise > 0;
  }

  /// Returns the orders to train on.
  ///
  /// @param ticks of the market
  /// @param check throws a [DataException] if an order cannot be executed; then its window stays
  public List<Order> orders(List<Order> given, long seed, TickSource ticks, Consumer<Order> check) {
    List<Order> drawn = bootstrap ? bootstrapped(given, seed) : given;
    if (!changesDays() && jitterMinutes == 0) {
      return drawn;
    }
    var orders = new ArrayList<>(drawn);
    for (int number = 1; number <= VARIANTS; number++) {
      for (Order order : drawn) {
        Order moved = jitterMinutes == 0 ? order : moved(order, seed, number, ticks, check);
        orders.add(
            changesDays() ? named(moved, order.instrument() + BEFORE + number + AFTER) : moved);
      }
    }
    return orders;
  }

  private static List<Order> bootstrapped(List<Order> given, long seed) {
    var times = new TreeMap<LocalDate, Integer>();
    given.forEach(order -> times.put(order.date(), 0));
    List<LocalDate> days = List.copyOf(times.keySet());
    SplittableRandom random = RandomTree.generator(RandomTree.root(seed, "bootstrapped days"));
    for (int i = 0; i < days.size(); i++) {
      times.merge(days.get(random.nextInt(days.size())), 1, Integer::sum);
    }
    var drawn = new ArrayList<Order>();
    for (Order order : given) {
      for (int i = times.getOrDefault(order.date(), 0); i > 0; i--) {
        drawn.add(order);
      }
    }
    return drawn;
  }

  private static Order named(Order order, String instrument) {
    return new Order(
        instrument, order.side(), order.amount(), order.start(), order.end(), order.date());
  }

  /// Moves both ends of a window, which stays at least half as long as it was.
  private Order moved(Order order, long seed, int number, TickSource ticks, Consumer<Order> check) {
    DayTicks day = ticks.ticks(order);
    int start = day.ceiling(BarTime.of(order.start()));
    int end = day.ceiling(BarTime.of(order.end()));
    SplittableRandom random = random("window", seed, number, order.instrument(), order.date());
    int from = shifted(day, BarTime.of(order.start()), random);
    int to = shifted(day, BarTime.of(order.end()), random);
    if (to - from < Math.max(1, (end - start) / 2) || (from == start && to == end)) {
      return order;
    }
    var moved =
        new Order(
            order.instrument(),
            order.side(),
            order.amount(),
            from == start ? order.start() : BarTime.dateTime(day.time(from)),
            to == end ? order.end() : BarTime.dateTime(end(day, to)),
            order.date());
    try {
      check.accept(moved);
      return moved;
    } catch (DataException _) {
      return order; // no bars there
    }
  }

  private int shifted(DayTicks day, long time, SplittableRandom random) {
    long seconds = 60L * random.nextInt(-jitterMinutes, jitterMinutes + 1);
    return day.ceiling(time + seconds);
  }

  /// Returns the time at which tick `to` begins; after the last tick, when that ends.
  private static long end(DayTicks day, int to) {
    int count = day.count();
    return to < count
        ? day.time(to)
        : day.time(count - 1) + (count < 2 ? 60 : day.time(count - 1) - day.time(count - 2));
  }

  /// Returns ticks of the market and of all variants.
  public TickSource over(TickSource market, long seed) {
    if (scale == 0) {
      return order -> market.ticks(named(order, Variant.of(order.instrument()).instrument()));
    }
    return new CachedTicks(
        order -> {
          Variant variant = Variant.of(order.instrument());
          DayTicks day = market.ticks(named(order, variant.instrument()));
          return variant.number() == 0
              ? day
              : day.scaled(factor(seed, variant.number(), order.date()));
        },
        DAYS_KEPT);
  }

  /// Returns features of the market and of all variants.
  ///
  /// @param market stays open
  /// @throws ConfigException if its features cannot be scaled
  public FeatureSource over(FeatureSource market, long seed) {
    FeatureColumns columns = market.columns();
    boolean[] moves = moves(columns);
    return new DayCache(
        columns,
        DAYS_KEPT,
        (instrument, date) -> {
          Variant variant = Variant.of(instrument);
          DayFeatures day = market.day(variant.instrument(), date);
          return variant.number() == 0 ? day : changed(day, moves, seed, variant);
        },
        market::recipe);
  }

  /// Returns which columns grow with the moves of prices.
  private boolean[] moves(FeatureColumns columns) {
    try {
      return scale == 0 ? new boolean[columns.today().size()] : new Mirror(columns).turned();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "augmentation.scale",
          "0, because it is not known which features are moves (%s)".formatted(e.getMessage()),
          scale);
    }
  }

  private DayFeatures changed(DayFeatures day, boolean[] moves, long seed, Variant variant) {
    int width = moves.length;
    float[] today = new float[day.ticks() * width];
    float[] yesterday = new float[day.ticks() * day.columns().yesterday().size()];
    long[] times = new long[day.ticks()];
    day.copyToday(0, day.ticks(), today, 0);
    day.copyYesterday(0, day.ticks(), yesterday, 0);
    float factor = scale == 0 ? 1 : (float) factor(seed, variant.number(), day.date());
    SplittableRandom random =
        random("noise", seed, variant.number(), variant.instrument(), day.date());
    for (int i = 0; i < today.length; i++) {
      today[i] *= moves[i % width] ? factor : 1;
      today[i] += noise == 0 ? 0 : (float) (noise * random.nextGaussian());
    }
    for (int tick = 0; tick < times.length; tick++) {
      times[tick] = day.time(tick);
    }
    return DayFeatures.wrap(day.instrument(), day.date(), day.columns(), times, today, yesterday);
  }

  /// The same for all instruments: the day is a wilder or a calmer one.
  private double factor(long seed, int number, LocalDate date) {
    return Math.exp(scale * random("scale", seed, number, "", date).nextGaussian());
  }

  private static SplittableRandom random(
      String purpose, long seed, int number, String instrument, LocalDate date) {
    return RandomTree.generator(
        RandomTree.key(
            seed, "augmentation " + purpose, number, instrument.hashCode(), date.toEpochDay()));
  }

  /// An instrument and the number of its variant; 0 for the market's own.
  private record Variant(String instrument, int number) {

    static Variant of(String name) {
      int at = name.endsWith(AFTER) ? name.lastIndexOf(BEFORE) : -1;
      return at < 0
          ? new Variant(name, 0)
          : new Variant(
              name.substring(0, at),
              Integer.parseInt(
                  name.substring(at + BEFORE.length(), name.length() - AFTER.length())));
    }
  }
}
