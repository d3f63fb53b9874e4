package io.tranche.backtest.run;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.exchange.Quotes;
import io.tranche.backtest.executor.Executor;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.TradeDecision;
import io.tranche.backtest.run.InstrumentResult.FailedOrder;
import io.tranche.backtest.run.InstrumentResult.SentOrder;
import io.tranche.backtest.strategy.OrderListStrategy;
import io.tranche.config.ConfigException;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Runs the orders of one instrument, in groups of days that do not depend on each other: any
/// number of threads may run one each, at the same time and in any order.
///
/// An order that cannot be run is left out and reported; its group is then run again without it, so
/// that it leaves no trace in the account.
public final class InstrumentRun {

  /// The number of days in a group: enough for a policy to encode many days at once, few enough to
  /// divide one instrument among threads.
  private static final int DAYS_A_GROUP = 32;

  private final BacktestConfig config;
  private final QuoteSource source;
  private final String instrument;
  private final List<Order> orders;
  private final List<List<Order>> groups;
  private @Nullable Quotes quotes;

  InstrumentRun(BacktestConfig config, QuoteSource source, String instrument, List<Order> orders) {
    this.config = config;
    this.source = source;
    this.instrument = instrument;
    this.orders = orders.stream().sorted(Comparator.comparing(Order::date)).toList();
    this.groups = daysAreIndependent() ? byDays(this.orders) : List.of(this.orders);
  }

  /// Whether no day depends on the one before. Limited cash and holdings are carried over;
  /// everything else, including strategies and volume limits, starts anew with a step of the
  /// outermost level.
  private boolean daysAreIndependent() {
    return config.apart()
        || (config.accounts().get() instanceof Account.Unlimited
            && config.executor().levels().getFirst().frequency().compareTo(Frequency.DAY) <= 0);
  }

  private static List<List<Order>> byDays(List<Order> orders) {
    var groups = new ArrayList<List<Order>>();
    var group = new ArrayList<Order>();
    int days = 0;
    for (Order order : orders) {
      if (group.isEmpty() || !group.getLast().date().equals(order.date())) {
        if (days == DAYS_A_GROUP) {
          groups.add(List.copyOf(group));
          group.clear();
          days = 0;
        }
        days++;
      }
      group.add(order);
    }
    groups.add(List.copyOf(group));
    return groups;
  }

  public String instrument() {
    return instrument;
  }

  /// Returns the orders by date, in groups that can be run separately. The groups depend only on
  /// the orders and the configuration; with limited cash there is a single group.
  public List<List<Order>> groups() {
    return groups;
  }

  /// Runs one of [#groups].
  ///
  /// @throws ConfigException if the configuration does not fit the data
  public InstrumentResult run(int group) {
    var collected = new Collected();
    run(groups.get(group), collected);
    return collected.result(instrument);
  }

  /// Runs all orders, in one run unless each is to be run alone.
  ///
  /// @throws ConfigException if the configuration does not fit the data
  public InstrumentResult runAll() {
    var collected = new Collected();
    (config.apart() ? groups : List.of(orders)).forEach(some -> run(some, collected));
    return collected.result(instrument);
  }

  private void run(List<Order> some, Collected collected) {
    List<Order> good = new ArrayList<>();
    for (Order order : some) {
      String fault = fault(order);
      if (fault == null) {
        good.add(order);
      } else {
        collected.failures.add(new FailedOrder(order, fault, List.of()));
      }
    }
    if (config.apart()) {
      good.forEach(order -> run(List.of(order), good, collected));
    } else if (!good.isEmpty()) {
      run(good, good, collected);
    }
  }

  private @Nullable String fault(Order order) {
    if (!order.instrument().equals(instrument)) {
      return "expected an order for %s, was %s".formatted(instrument, order.instrument());
    }
    if (!(order.amount() > 0)) {
      return "expected a positive amount, was " + order.amount();
    }
    if (source.calendar().dayOf(order.date()) < 0) {
      return "expected a trading day of the calendar, was " + order.date();
    }
    return null;
  }

  /// @param coming the orders that will be run next, including `together`
  private void run(List<Order> together, List<Order> coming, Collected collected) {
    List<Order> left = together;
    while (!left.isEmpty()) {
      var attempt = new Attempt();
      try {
        attempt.run(left, coming);
        collected.add(attempt);
        return;
      } catch (ConfigException e) {
        throw e;
      } catch (RuntimeException e) {
        // Whatever fails in a strategy, a policy or the data, the other orders must still run.
        String reason = String.valueOf(e.getMessage());
        LocalDate day = attempt.day();
        var rest = new ArrayList<Order>();
        for (Order order : left) {
          if (day == null || order.date().equals(day)) {
            collected.failures.add(new FailedOrder(order, reason, attempt.fills(order)));
          } else {
            rest.add(order);
          }
        }
        if (rest.size() == left.size()) {
          throw e; // a day without orders failed: nothing to leave out
        }
        left = rest;
      }
    }
  }

  /// Returns the quotes of an exchange for `some` orders. Whether amounts are rounded depends on
  /// all quotes, so every group uses those of the whole instrument.
  private Quotes quotes(List<Order> some) {
    if (config.apart()) {
      return load(some);
    }
    synchronized (this) {
      if (quotes == null) {
        quotes = load(orders.stream().filter(order -> fault(order) == null).toList());
      }
      return quotes.forOneReader();
    }
  }

  private Quotes load(List<Order> byDate) {
    return source.quotes(
        config.exchange(), instrument, byDate.getFirst().date(), byDate.getLast().date());
  }

  /// One run over some orders.
  private final class Attempt implements Executor.Listener {

    private final List<ExchangeFill> fills = new ArrayList<>();
    private final List<SentOrder> sent = new ArrayList<>();
    private List<Order> orders = List.of();
    private @Nullable Executor executor;

    void run(List<Order> together, List<Order> coming) {
      orders = together;
      var exchange = new Exchange(config.exchange(), List.of(quotes(together)));
      Account account = config.accounts().get();
      var strategy = new OrderListStrategy(together, config.window());
      executor = new Executor(config.executor(), strategy, source, exchange, account, this);
      executor.expect(coming);
      executor.begin(
          BarTime.of(together.getFirst().date()),
          BarTime.of(together.getLast().date()) + BarTime.SECONDS_A_DAY - 1);
      if (executor.advance()) {
        throw new IllegalStateException(
            "strategies of a backtest must decide themselves, was one that waits for a caller");
      }
    }

    @Override
    public void filled(ExchangeFill fill) {
      fills.add(fill);
    }

    @Override
    public void decided(Level level, TradeDecision decision) {
      if (!config.recordsOrders() || !level.hasOuter()) {
        return;
      }
      LocalDate day = day();
      for (ExchangeOrder child : decision.orders()) {
        List<Order> parents =
            orders.stream()
                .filter(order -> order.side() == child.side() && order.date().equals(day))
                .toList();
        sent.add(new SentOrder(level.frequency(), child, parents));
      }
    }

    /// Returns the fills on the day of an order, for its side.
    List<ExchangeFill> fills(Order order) {
      return fills.stream()
          .filter(fill -> fill.order().side() == order.side())
          .filter(fill -> BarTime.date(fill.order().start()).equals(order.date()))
          .toList();
    }

    /// Returns the day that was worked on, null if none was.
    @Nullable LocalDate day() {
      return executor == null || executor.isFinished()
          ? null
          : BarTime.date(executor.levels().getFirst().steps().stepStart());
    }
  }

  /// The results of all runs of an instrument.
  private static final class Collected {

    final List<FailedOrder> failures = new ArrayList<>();
    private final Map<Long, List<ResultRow>> rows = new TreeMap<>();
    private final List<ExchangeFill> fills = new ArrayList<>();
    private final List<SentOrder> sent = new ArrayList<>();
    private final List<Map<String, List<StepIndicators>>> histories = new ArrayList<>();

    void add(Attempt attempt) {
      Executor executor = attempt.executor;
      if (executor == null) {
        return;
      }
      fills.addAll(attempt.fills);
      sent.addAll(attempt.sent);
      var levels = new LinkedHashMap<String, List<StepIndicators>>();
      for (Level level : executor.levels()) {
        levels.put(level.frequency(), executor.history(level.frequency()));
      }
      histories.add(levels);
      for (StepIndicators day : levels.firstEntry().getValue()) {
        if (day.orders() > 0) {
          // As in Qlib, a later order of that day replaces an earlier one.
          rows.put(day.time(), day.lines().stream().map(line -> ResultRow.of(day, line)).toList());
        }
      }
    }

    InstrumentResult result(String instrument) {
      return new InstrumentResult(
          instrument,
          rows.values().stream().flatMap(List::stream).toList(),
          fills,
          sent,
          histories,
          failures);
    }
  }
}
