package io.tranche.backtest.run;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.Deal;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.Executor;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
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

/// Runs the orders of one instrument after another. Safe to use from several threads, each with an
/// instrument of its own. Qlib: `qlib.rl.contrib.backtest`.
///
/// An order that cannot be run is left out and reported; the run is then done again without it, so
/// that it leaves no trace in the account.
public final class BacktestRun {

  private final BacktestConfig config;
  private final QuoteSource source;

  /// @throws ConfigException if the benchmark has no data
  public BacktestRun(BacktestConfig config, QuoteSource source) {
    this.config = config;
    this.source = source.keepingCalendars();
    String benchmark = config.benchmark();
    if (benchmark != null && !hasBars(benchmark)) {
      throw new ConfigException(
          "exchange.cash_limit",
          "daily or 1-minute bars of the benchmark %s, as Qlib's account needs"
              .formatted(benchmark),
          "none");
    }
  }

  private boolean hasBars(String instrument) {
    Frequency frequency = source.calendar().frequency();
    if (source.calendar().days() == 0
        || !(frequency.equals(Frequency.MINUTE) || frequency.isDay())) {
      return false;
    }
    LocalDate first = source.calendar().date(0);
    LocalDate last = source.calendar().date(source.calendar().days() - 1);
    return source.quotes(ExchangeConfig.DEFAULT, instrument, first, last).rows() > 0;
  }

  /// Runs orders that are all of one instrument.
  ///
  /// @throws ConfigException if the configuration does not fit the data
  public InstrumentResult run(String instrument, List<Order> orders) {
    var collected = new Collected();
    List<Order> good = new ArrayList<>();
    for (Order order : orders) {
      String fault = fault(instrument, order);
      if (fault == null) {
        good.add(order);
      } else {
        collected.failures.add(new FailedOrder(order, fault));
      }
    }
    if (config.apart()) {
      good.forEach(order -> runAll(instrument, List.of(order), collected));
    } else if (!good.isEmpty()) {
      runAll(instrument, good, collected);
    }
    return collected.result(instrument);
  }

  private @Nullable String fault(String instrument, Order order) {
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

  private void runAll(String instrument, List<Order> orders, Collected collected) {
    List<Order> left = orders;
    while (!left.isEmpty()) {
      var attempt = new Attempt();
      try {
        attempt.run(instrument, left);
        collected.add(attempt);
        return;
      } catch (ConfigException e) {
        throw e;
      } catch (RuntimeException e) {
        // Whatever a strategy, a policy or the data do, the other orders are to be run.
        String reason = String.valueOf(e.getMessage());
        LocalDate day = attempt.day();
        var rest = new ArrayList<Order>();
        for (Order order : left) {
          if (day == null || order.date().equals(day)) {
            collected.failures.add(new FailedOrder(order, reason));
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

  /// One run over some orders.
  private final class Attempt {

    private final List<Deal> deals = new ArrayList<>();
    private @Nullable Executor executor;

    void run(String instrument, List<Order> orders) {
      LocalDate first = orders.stream().map(Order::date).min(Comparator.naturalOrder()).get();
      LocalDate last = orders.stream().map(Order::date).max(Comparator.naturalOrder()).get();
      var exchange =
          new Exchange(
              config.exchange(),
              List.of(source.quotes(config.exchange(), instrument, first, last)));
      Account account = config.accounts().get();
      var strategy = new OrderListStrategy(orders, config.window());
      executor = new Executor(config.executor(), strategy, source, exchange, account, deals::add);
      executor.expect(orders);
      executor.begin(BarTime.of(first), BarTime.of(last) + BarTime.SECONDS_A_DAY - 1);
      if (executor.advance()) {
        throw new IllegalStateException(
            "strategies of a backtest must decide by themselves, was one that waits");
      }
    }

    /// Returns the day that was worked on, null if none was.
    @Nullable LocalDate day() {
      return executor == null || executor.isFinished()
          ? null
          : BarTime.date(executor.levels().getFirst().steps().stepStart());
    }
  }

  /// What all runs of an instrument gave.
  private static final class Collected {

    final List<FailedOrder> failures = new ArrayList<>();
    private final Map<Long, List<ResultRow>> rows = new TreeMap<>();
    private final List<Deal> deals = new ArrayList<>();
    private final List<Map<String, List<StepIndicators>>> histories = new ArrayList<>();

    void add(Attempt attempt) {
      Executor executor = attempt.executor;
      if (executor == null) {
        return;
      }
      deals.addAll(attempt.deals);
      var levels = new LinkedHashMap<String, List<StepIndicators>>();
      for (Level level : executor.levels()) {
        levels.put(level.frequency(), executor.history(level.frequency()));
      }
      histories.add(levels);
      for (StepIndicators day : levels.firstEntry().getValue()) {
        var lines = new ArrayList<ResultRow>();
        for (Line line : day.lines()) {
          lines.add(ResultRow.of(day, line));
        }
        if (day.orders() > 0) {
          rows.put(day.time(), lines); // as in Qlib, a later order of that day replaces an earlier
        }
      }
    }

    InstrumentResult result(String instrument) {
      return new InstrumentResult(
          instrument,
          rows.values().stream().flatMap(List::stream).toList(),
          deals,
          histories,
          failures);
    }
  }
}
