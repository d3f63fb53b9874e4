package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.CachedTicks.Gaps;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.MarketIndex;
import io.tranche.market.feature.pipeline.FeatureFiles;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.feature.provider.ExpressionFeatures;
import io.tranche.market.order.LazyOrders;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.order.ReadOrders;
import io.tranche.market.order.TradingDays;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.DataSettings.QlibData;
import io.tranche.trainer.InitialStates;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The data of a run, ready to be read. What has to be made is made once, in the run folder.
public final class PreparedData {

  private static final String COMPUTED = "ComputedFeatures";

  private static final List<String> PROVIDERS =
      List.of("price_moves", "relative_volume", "time_of_day");

  /// About 10 MB of 240 ticks.
  private static final int CACHED_TICK_DAYS = 2048;

  private static final String VALID = Tag.VALID.name().toLowerCase(Locale.ROOT);

  private static final FeatureColumns TICK_COLUMNS =
      new FeatureColumns(List.of("$close0", "$volume0"), List.of());

  private final DataSettings settings;
  private final int minutesPerTick;
  private final @Nullable DayShape day;
  private final @Nullable String origin;
  private final List<String> notes;
  private final boolean isGuarded;

  /// @param settings of data that are all there
  /// @param day what the trading days look like; null if only the files of each day say so
  /// @param notes what a user should know of the data
  /// @param isGuarded whether the later half of the validation days is kept for a guard
  PreparedData(
      DataSettings settings,
      int minutesPerTick,
      @Nullable DayShape day,
      @Nullable String origin,
      List<String> notes,
      boolean isGuarded) {
    this.settings = settings;
    this.minutesPerTick = minutesPerTick;
    this.day = day;
    this.origin = origin;
    this.notes = List.copyOf(notes);
    this.isGuarded = isGuarded;
  }

  /// Makes the data of `run` where they are not there yet.
  ///
  /// @param folder where data that are made are put
  /// @throws DataException if data are missing or wrong
  public static PreparedData of(ExecutionRun run, RunFolder folder, RunListener listener) {
    return switch (run.data()) {
      case BarData bars -> new DataPreparation(bars, folder, listener, run.guards()).run();
      case QlibData files ->
          new PreparedData(files, QlibBinder.minutesPerTick(run), null, null, List.of(), false);
    };
  }

  /// Returns settings that name what was prepared: with them any process that sees the same files
  /// prepares the same data without making anything.
  public DataSettings settings() {
    return settings;
  }

  public int minutesPerTick() {
    return minutesPerTick;
  }

  /// Returns what the trading days look like; null if only the files of each day say so.
  @Nullable DayShape day() {
    return day;
  }

  /// Returns the days of the bars; null if only the files of each day say so.
  public @Nullable Calendar calendar() {
    return day == null ? null : day.calendar();
  }

  /// Returns the session of each instrument; empty if only the files of each day say so.
  public Map<String, Session> sessions() {
    return day == null ? Map.of() : day.sessions();
  }

  /// Returns what a user should know of the data: their sessions, and bars that are set aside.
  public List<String> notes() {
    return notes;
  }

  /// Returns a text that tells these bars from others: the settings of the embedded market, and
  /// what a feature store says of its bars; null where there is neither.
  public @Nullable String origin() {
    return origin;
  }

  /// Opens the prices and volumes that simulators fill orders at; the caller closes them. Those of
  /// a feature store are used only where there are no bars, and never where they were filled up.
  public CachedTicks openTicks() {
    return switch (settings) {
      case BarData data
          when data.bars() == null && data.features() instanceof Features.Stored(Path store) -> {
        FeatureStore opened = FeatureStore.open(store);
        yield CachedTicks.of(
            opened.backtest(TICK_COLUMNS, 1),
            opened.hasFilledPrices() ? Gaps.ALL : Gaps.WITHOUT_PRICE,
            CACHED_TICK_DAYS);
      }
      case BarData data -> CachedTicks.of(openBars(data), DealPrice.CLOSE, CACHED_TICK_DAYS);
      case QlibData data ->
          CachedTicks.of(
              data.places()
                  .naming(
                      "feature_root_dir",
                      () -> FeatureFiles.open(data.featureRoot(), TICK_COLUMNS, true, 1)),
              Gaps.NONE,
              CACHED_TICK_DAYS);
    };
  }

  /// Opens the same without the market's moves, for learning and for choosing among agents; the
  /// caller closes them.
  ///
  /// @return null if the run is not market-neutral
  @Nullable CachedTicks openNeutralTicks() {
    return settings instanceof BarData data && data.isNeutral()
        ? CachedTicks.of(MarketIndex.neutral(openBars(data)), DealPrice.CLOSE, CACHED_TICK_DAYS)
        : null;
  }

  /// Returns the features for a state interpreter that names none.
  ///
  /// Where the price has gone, how busy the day is, and what time it is, each in units of what is
  /// usual, so that instruments are alike and nothing has to be normalised. Raw prices, as Qlib's
  /// features have them, hide a move of ten basis points behind yesterday's of hundreds. What the
  /// bars do not say is 0, the middle of every feature's range.
  Part<FeatureSource> features() {
    return switch (settings) {
      case BarData(_, _, _, Features.Stored(Path store), _, _, _, _, _) ->
          Part.named(
              "FeatureStore",
              Map.of("path", store.toAbsolutePath().toString(), "today", columnsToday(store)));
      case BarData data
          when data.features() instanceof Features.Provided provided
              && !provided.given().isEmpty() ->
          Part.of(
              ExecutionCatalog.computedFeatures(
                  openBars(data), provided.providers(), data.isNeutral()));
      case BarData data -> {
        requireStreams(data);
        yield Part.named(COMPUTED, computed(data));
      }
      case QlibData _ -> throw new IllegalStateException("Qlib's dialect names its features");
    };
  }

  /// Refuses expressions that cannot be streamed where they were written, and not where they are
  /// used.
  private void requireStreams(BarData data) {
    ConfigNode expressions = data.places().setting("expressions");
    if (expressions != null && expressions.isMapping() && day != null) {
      ExpressionFeatures.requireStreams(expressions, day.ticks());
    }
  }

  /// Returns features that a configuration names, with the bars of the run unless it names others.
  ConfigNode completed(ConfigNode features) {
    if (!(settings instanceof BarData data)
        || !features.isMapping()
        || !features.has("class")
        || !features.required("class").asText().equals(COMPUTED)) {
      return features;
    }
    ConfigNode kwargs = features.optional("kwargs");
    if (kwargs == null || !kwargs.isMapping() || kwargs.has("path")) {
      return features;
    }
    ConfigNode usual = Part.named(COMPUTED, computed(data)).describe().required("kwargs");
    ConfigNode whole = kwargs.with("path", usual.required("path"));
    for (String key : List.of("mapping", "neutral")) {
      whole = usual.has(key) && !kwargs.has(key) ? whole.with(key, usual.required(key)) : whole;
    }
    return features.with("kwargs", whole);
  }

  private static Map<String, Object> computed(BarData data) {
    var settings = new TreeMap<String, Object>();
    settings.put("path", bars(data).toAbsolutePath().toString());
    if (data.features() instanceof Features.Provided provided) {
      settings.put("providers", provided.names());
    } else {
      var providers = new ArrayList<Object>(PROVIDERS);
      if (data.features() instanceof Features.Recipe(var formulas, var tables)) {
        if (!formulas.isEmpty()) {
          providers.add(Map.of(ExpressionFeatures.KEY, Features.toConfig(formulas)));
        }
        tables.forEach(table -> providers.add(table.toConfig()));
      }
      settings.put("providers", providers);
    }
    if (!data.mapping().equals(ColumnMapping.DEFAULT)) {
      settings.put("mapping", data.mapping().toConfig());
    }
    if (data.isNeutral()) {
      settings.put("neutral", true);
    }
    return settings;
  }

  private static List<String> columnsToday(Path store) {
    return FeatureStore.open(store).featureExpressions().keySet().stream()
        .filter(name -> !name.endsWith("_1"))
        .toList();
  }

  private static Path bars(BarData data) {
    return data.bars() == null ? Path.of("") : data.bars();
  }

  static BarSource openBars(BarData data) {
    return data.places().naming("bars", () -> BarFiles.openSessions(bars(data), data.mapping()));
  }

  /// Returns the orders of a stage.
  ///
  /// @throws DataException if there are none, or they are no orders
  public InitialStates<Order> orders(Tag stage) {
    String name = stage.name().toLowerCase(Locale.ROOT);
    return switch (settings) {
      case BarData data -> {
        String key = data.instruments() == null ? "orders" : "instruments";
        yield data.places().naming(key, () -> orders(data, name));
      }
      case QlibData data -> data.places().naming("order_dir", () -> orders(data, name));
    };
  }

  private InitialStates<Order> orders(QlibData data, String stage) {
    Path files = OrderFiles.inPlaceOf(data.orders().resolve(stage));
    int start = data.startMinute() / minutesPerTick;
    int end = data.endMinute() / minutesPerTick;
    FeatureSource prices =
        data.places()
            .naming(
                "feature_root_dir",
                () -> FeatureFiles.open(data.featureRoot(), FeatureColumns.NONE, true, 1));
    LazyOrders orders = LazyOrders.open(files, LazyOrders.ticksOf(prices), start, end);
    if (orders.size() == 0) {
      throw new DataException(files.toString(), "orders", "none");
    }
    return new InitialStates<>(orders.size(), orders::order);
  }

  /// Orders without times are for the whole day.
  private InitialStates<Order> orders(BarData data, String stage) {
    if (!(data.orders() instanceof Orders.Folder(Path folder)) || day == null) {
      throw new IllegalStateException("orders must have been prepared");
    }
    Path files = folder.resolve(stage);
    List<Order> read = OrderFiles.read(files, day.days());
    List<String> only = data.instruments();
    if (only != null) {
      read = read.stream().filter(order -> only.contains(order.instrument())).toList();
    }
    if (read.isEmpty()) {
      throw new DataException(
          files.toString(), only == null ? "orders" : "orders of " + only, "none");
    }
    List<Order> span = isGuarded && stage.equals(VALID) ? earlierHalf(read) : read;
    return InitialStates.of(data.bothSides() ? pairs(span) : span);
  }

  /// Returns the orders of a stage as [#orders] does, each with the file and the row it is in.
  ///
  /// @throws DataException if there are none, or they are no orders
  public ReadOrders placedOrders(Tag stage) {
    ReadOrders all = allPlaced(stage);
    if (!isGuarded || stage != Tag.VALID) {
      return all;
    }
    Set<LocalDate> days = earlierHalf(dates(all));
    return new ReadOrders(
        all.orders().stream().filter(each -> days.contains(each.order().date())).toList(),
        all.faults());
  }

  /// Returns the orders that a guard is fitted to: those of the later half of the validation days,
  /// which then have no part in choosing a checkpoint. Empty if there is one day only, or no guard.
  public List<Order> selectionOrders() {
    if (!isGuarded) {
      return List.of();
    }
    ReadOrders all = allPlaced(Tag.VALID);
    Set<LocalDate> days = earlierHalf(dates(all));
    return all.orders().stream()
        .map(NamedOrder::order)
        .filter(order -> !days.contains(order.date()))
        .toList();
  }

  private static SortedSet<LocalDate> dates(ReadOrders orders) {
    return orders.orders().stream()
        .map(each -> each.order().date())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Order> earlierHalf(List<Order> orders) {
    Set<LocalDate> days =
        earlierHalf(
            orders.stream().map(Order::date).collect(Collectors.toCollection(TreeSet::new)));
    return orders.stream().filter(order -> days.contains(order.date())).toList();
  }

  /// Of an odd number of days, the middle one belongs to the earlier half.
  private static Set<LocalDate> earlierHalf(SortedSet<LocalDate> days) {
    return days.stream().limit((days.size() + 1) / 2).collect(Collectors.toSet());
  }

  private ReadOrders allPlaced(Tag stage) {
    if (settings instanceof BarData data && data.orders() instanceof Orders.Folder(Path folder)) {
      Path files = folder.resolve(stage.name().toLowerCase(Locale.ROOT));
      String key = data.instruments() == null ? "orders" : "instruments";
      ReadOrders placed = data.places().naming(key, () -> placedOrders(files, data.instruments()));
      return data.bothSides()
          ? new ReadOrders(placedPairs(placed.orders()), placed.faults())
          : placed;
    }
    InitialStates<Order> all = orders(stage);
    String name = "orders of " + stage.name().toLowerCase(Locale.ROOT);
    List<NamedOrder> placed =
        IntStream.range(0, all.size())
            .mapToObj(
                i ->
                    new NamedOrder(
                        Integer.toString(i + 1),
                        all.load().apply(i),
                        "%s: number %d".formatted(name, i + 1)))
            .toList();
    return new ReadOrders(placed, List.of());
  }

  /// Returns all orders of a file or folder, for bars like these.
  ///
  /// @throws DataException if there are none
  public ReadOrders placedOrders(Path files) {
    return placedOrders(files, null);
  }

  private ReadOrders placedOrders(Path files, @Nullable List<String> only) {
    if (day == null) {
      throw new ConfigException("--orders", "a run with bars", "one in Qlib's dialect");
    }
    ReadOrders rows = OrderFiles.readRows(files, day.days());
    List<NamedOrder> read =
        rows.orders().stream()
            .filter(each -> only == null || only.contains(each.order().instrument()))
            .toList();
    if (read.isEmpty() && rows.faults().isEmpty()) {
      throw new DataException(
          files.toString(), only == null ? "orders" : "orders of " + only, "none");
    }
    return new ReadOrders(read, rows.faults());
  }

  private static List<NamedOrder> placedPairs(List<NamedOrder> placed) {
    List<Order> orders = pairs(placed.stream().map(NamedOrder::order).toList());
    return IntStream.range(0, orders.size())
        .mapToObj(
            i -> new NamedOrder(placed.get(i / 2).id(), orders.get(i), placed.get(i / 2).place()))
        .toList();
  }

  /// Opens the bars; null if there are none but those in a feature store or in Qlib's files.
  public @Nullable BarSource openBars() {
    return settings instanceof BarData data && data.bars() != null ? openBars(data) : null;
  }

  /// Returns every order followed by the same order of the other side.
  ///
  /// In training there is twice as much to learn from, and the market's drift, which is different
  /// next month, pays one of a pair what it takes from the other. In a test it does the same, so
  /// that differences show skill and not how many sells there happened to be on a day that rose.
  private static List<Order> pairs(List<Order> orders) {
    var pairs = new ArrayList<Order>(2 * orders.size());
    for (Order order : orders) {
      Side other = order.side() == Side.BUY ? Side.SELL : Side.BUY;
      pairs.add(order);
      pairs.add(
          new Order(
              order.instrument(), other, order.amount(), order.start(), order.end(), order.date()));
    }
    return pairs;
  }

  /// What the trading days look like.
  ///
  /// @param calendar the days of all instruments
  /// @param ticks of a whole day of the longest session
  /// @param days of each instrument
  /// @param sessions by instrument
  record DayShape(Calendar calendar, int ticks, TradingDays days, Map<String, Session> sessions) {

    static DayShape of(BarSource bars) {
      var sessions = new LinkedHashMap<String, Session>();
      var calendars = new HashSet<Calendar>();
      for (String instrument : bars.instruments()) {
        Session session = bars.session(instrument);
        if (session != null) {
          sessions.put(instrument, session);
        }
        calendars.add(bars.calendar(instrument));
      }
      int ticks = calendars.stream().mapToInt(Calendar::plannedTicks).max().orElse(0);
      return new DayShape(bars.calendar(), ticks, TradingDays.of(bars), sessions);
    }

    /// Returns this for features whose orders are worked on `bars`.
    DayShape workedOn(BarSource bars) {
      return new DayShape(calendar, ticks, TradingDays.of(bars), sessions);
    }

    int minutesPerTick() {
      return Math.max(1, calendar.frequency().seconds() / 60);
    }
  }
}
