package io.tranche.cli.replay;

import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.order.TradingDays;
import io.tranche.market.synthetic.Book;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.play.CheckedOrders;
import io.tranche.work.decide.DecideRun;
import io.tranche.work.decide.DecisionMaker.Wants;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a replay plays: bars and orders, recorded or generated.
final class ReplayOptions {

  private static final int USUAL_INSTRUMENTS = 10;
  private static final int USUAL_DAYS = 5;

  @Option(
      names = "--bars",
      paramLabel = "FILE",
      description = "Recorded bars: a store, a file or a folder of files.")
  private @Nullable Path bars;

  @Option(
      names = "--generate",
      description = "Bars of the embedded market (docs/embedded-market.md).")
  private boolean generates;

  @Option(
      names = "--orders",
      paramLabel = "FILE",
      description =
          "Orders: instrument, side, amount, start and end, or date for the whole day; id if they"
              + " have one (default: generated).")
  private @Nullable Path orders;

  @Option(
      names = "--orders-a-day",
      paramLabel = "N",
      description = "Number of orders to generate per day (default: one per instrument).")
  private @Nullable Integer ordersADay;

  @Option(
      names = "--instruments",
      paramLabel = "N",
      description = "Number of instruments (default: 10 if generated, all if recorded).")
  private @Nullable Integer instruments;

  @Option(
      names = "--days",
      paramLabel = "N",
      description =
          "Number of days to play; of recorded bars the last (default: 5 if generated, all if recorded).")
  private @Nullable Integer days;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of generated bars and orders (default: 1).")
  private @Nullable Long seed;

  @Option(
      names = "--skip-bad",
      description = "Leave out orders that cannot be executed, and go on with the others.")
  private boolean skipsBad;

  @Mixin private InputOptions input = new InputOptions();

  /// @throws ConfigException if options contradict each other
  void check() {
    if ((bars == null) != generates) {
      throw new ConfigException(
          "--bars and --generate", "one of them", generates ? "both" : "none");
    }
    if (generates && input.isGiven()) {
      throw new ConfigException(
          "--mapping, --frequency and --session",
          "bars of a file",
          "generated ones, as the model wants them");
    }
    if (orders != null && ordersADay != null) {
      throw new ConfigException("--orders-a-day", "orders to generate", "orders of a file");
    }
    if (bars != null && orders != null && (instruments != null || days != null || seed != null)) {
      throw new ConfigException(
          "--instruments, --days and --seed", "something to generate", "bars and orders of files");
    }
    Arguments.atLeast("--orders-a-day", 1, ordersADay == null ? 1 : ordersADay);
    Arguments.atLeast("--instruments", 1, instruments == null ? 1 : instruments);
    Arguments.atLeast("--days", 1, days == null ? 1 : days);
  }

  /// Returns where the bars are from, for errors.
  String where() {
    return bars == null ? "embedded market" : bars.toString();
  }

  BarSource open(Wants wants) {
    if (bars != null) {
      return input.open(bars, wants);
    }
    boolean wantsQuotes = wants.fields().stream().anyMatch(each -> each.matches("(bid|ask).*"));
    return new SyntheticMarket(
        SyntheticConfig.DEFAULT
            .withSeed(seed())
            .withSize(
                instruments == null ? USUAL_INSTRUMENTS : instruments,
                (days == null ? USUAL_DAYS : days) + wants.earlierDays())
            .withBars(wants.session(), wants.frequency())
            .withBook(wantsQuotes ? Book.DEPTH : Book.NONE));
  }

  /// Returns the orders on `source`, which [#open] gave.
  CheckedOrders orders(BarSource source) {
    TradingDays days = TradingDays.of(source);
    return orders == null
        ? new CheckedOrders(generated(source, days), List.of())
        : DecideRun.checked(InputOptions.orders(orders, days), where(), source, skipsBad);
  }

  /// Draws orders: sides and sizes as [OrderGenerator] draws them, each for a whole day.
  ///
  /// @throws DataException if there is nothing to trade
  private List<NamedOrder> generated(BarSource source, TradingDays trading) {
    List<String> all = source.instruments();
    List<String> some =
        all.subList(0, instruments == null ? all.size() : Math.min(instruments, all.size()));
    int aDay = ordersADay == null ? 0 : ordersADay; // 0 for one per instrument
    int usual = bars == null ? USUAL_DAYS : Integer.MAX_VALUE;
    int last = days == null ? usual : days;
    int rounds = Math.max(1, Math.ceilDiv(aDay, Math.max(1, some.size())));
    NavigableMap<LocalDate, List<DayOrder>> drawn = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      OrderGenerator generator = OrderGenerator.DEFAULT.withSeed(seed() + round);
      for (String instrument : some) {
        for (DayOrder order : generator.generate(source, instrument)) {
          drawn.computeIfAbsent(order.date(), _ -> new ArrayList<>()).add(order);
        }
      }
    }
    while (drawn.size() > last) {
      drawn.pollFirstEntry();
    }
    var orders = new ArrayList<NamedOrder>();
    for (List<DayOrder> each : drawn.values()) {
      int count = aDay == 0 ? each.size() : Math.min(aDay, each.size());
      int first = orders.size() % each.size(); // another day, other instruments
      for (int i = 0; i < count; i++) {
        Order order = wholeDay(each.get((first + i) % each.size()), trading);
        String id = "%s-%d".formatted(order.date(), i + 1);
        orders.add(new NamedOrder(id, order, "generated order " + id));
      }
    }
    if (orders.isEmpty()) {
      throw new DataException(where(), "a day with a price and volume", "none");
    }
    return orders;
  }

  private static Order wholeDay(DayOrder drawn, TradingDays trading) {
    TradingDays.Day day = trading.day(drawn.instrument(), drawn.date());
    return new Order(
        drawn.instrument(), drawn.side(), drawn.amount(), day.start(), day.end(), drawn.date());
  }

  private long seed() {
    return seed == null ? 1 : seed;
  }
}
