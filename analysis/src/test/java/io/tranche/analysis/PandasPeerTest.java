package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.report.OrderRow;
import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.env.ParallelFor;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.TickSource;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.session.SessionBars;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random orders on each kind of market, with random child orders, TWAP, VWAP and at the arrival
/// price, against the same rules written again in pandas (`native_rule.py`), which reads the raw
/// bars, the orders and the child orders.
class PandasPeerTest {

  private static final int ORDERS = 200;

  private static final Frictions HARSH =
      Frictions.NONE
          .withParticipation(0.3)
          .withLot(100)
          .withPriceLimit(0.004)
          .withLatency(1)
          .withCosts(
              Costs.NONE
                  .withCommission(0.0003)
                  .withMinimum(5, Costs.Unit.PARENT)
                  .withTaxes(0.0001, 0.001)
                  .withHalfSpread(1.5)
                  .withImpacts(
                      new Impact.Linear(0.001),
                      new Impact.SquareRoot(0.002),
                      new Impact.Transient(0.001, 0.7)));

  private static final String HARSH_JSON =
      """
      {"participation": 0.3, "lot": 100, "price_limit": 0.004, "latency": 1, "costs": {"commission": 0.0003,
       "minimum": 5, "minimum_per": "parent", "buy_tax": 0.0001, "sell_tax": 0.001, "half_spread_bps": 1.5, "impacts": [
       {"kind": "transient", "coefficient": 0.001, "decay": 0.7}, {"kind": "linear", "coefficient": 0.001},
       {"kind": "square_root", "coefficient": 0.002}]}}
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "CN_STOCKS, 5, QUOTES",
    "US_STOCKS, 15, HIGHS_AND_LOWS",
    "CN_FUTURES, 15, NEITHER",
    "CRYPTO, 15, QUOTES"
  })
  void pandasRecomputesEveryOrder(Kind kind, int minutes, Columns columns)
      throws IOException, InterruptedException {
    assertRecomputed(kind, minutes, columns);
  }

  @ParameterizedTest
  @CsvSource({
    "CN_STOCKS, 1, HIGHS_AND_LOWS",
    "CN_STOCKS, 15, NEITHER",
    "US_STOCKS, 1, QUOTES",
    "CN_FUTURES, 5, HIGHS_AND_LOWS",
    "CRYPTO, 1, NEITHER"
  })
  @Tag("full")
  void pandasRecomputesEveryOrderOfMore(Kind kind, int minutes, Columns columns)
      throws IOException, InterruptedException {
    assertRecomputed(kind, minutes, columns);
  }

  private void assertRecomputed(Kind kind, int minutes, Columns columns)
      throws IOException, InterruptedException {
    Path python = Python.withOrSkip("pandas");
    var market = new MarketBars(kind, minutes, columns, 13, 7);
    Path file = market.write(folder);
    Path easy = Files.writeString(folder.resolve("easy.json"), played(market, file, false));
    Path harsh = Files.writeString(folder.resolve("harsh.json"), played(market, file, true));
    assertThat(Python.run(python, resource(), easy.toString(), harsh.toString()).lines())
        .containsOnly(ORDERS + " orders compared, 0 differences")
        .hasSize(2);
  }

  private static String resource() throws IOException {
    try (InputStream in = PandasPeerTest.class.getResourceAsStream("native_rule.py")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// Plays random orders and returns the case for pandas.
  private static String played(MarketBars market, Path file, boolean harsh) {
    var json = new ArrayList<String>();
    int stepTicks = Math.max(30 / market.minutes(), 2);
    var random = new SplittableRandom(harsh ? 1 : 2);
    try (BarSource bars =
        SessionBars.of(
            "bars", BarFiles.open(file, ColumnMapping.DEFAULT), SessionBars.Reading.PLAIN)) {
      SimulatorFactory simulators =
          new SimpleSimulatorConfig(
                  stepTicks * market.minutes(),
                  market.minutes(),
                  harsh ? HARSH : Frictions.NONE,
                  Dialect.NATIVE)
              .over(CachedTicks.of(bars, DealPrice.CLOSE, 100));
      var played = new ArrayList<ExecutionState>();
      var children = new ArrayList<String>();
      while (played.size() < ORDERS) {
        LocalDate date = market.dates().get(random.nextInt(market.days()));
        Order order = order(market, date, random);
        try {
          SimpleSimulator simulator = simulators.create(order);
          children.add(played(simulator, random));
          played.add(simulator.state());
        } catch (DataException e) {
          assertThat(e).hasMessageContaining("none"); // a window without bars
        }
      }
      json.addAll(cases(played, children, simulators, bars));
    }
    return """
        {"bars": "%s", "width": %d, "step_ticks": %d, "sessions": %s, "frictions": %s, "orders": [%s]}
        """
        .formatted(
            file,
            market.minutes() * 60,
            stepTicks,
            sessions(market.kind()),
            harsh ? HARSH_JSON : "{\"costs\": {}}",
            String.join(",\n", json));
  }

  private static String sessions(Kind kind) {
    var sessions = new ArrayList<String>();
    for (String instrument : kind.instruments()) {
      var segments = new ArrayList<String>();
      List<Integer> times = kind.session(instrument);
      for (int i = 0; i < times.size(); i += 2) {
        segments.add("[%d, %d]".formatted(times.get(i) * 60, times.get(i + 1) * 60));
      }
      sessions.add("\"%s\": %s".formatted(instrument, segments));
    }
    return "{" + String.join(", ", sessions) + "}";
  }

  private static Order order(MarketBars market, LocalDate date, SplittableRandom random) {
    List<String> instruments = market.kind().instruments();
    String instrument = instruments.get(random.nextInt(instruments.size()));
    List<LocalDateTime> times = market.times(instrument, date);
    int first = random.nextInt(times.size());
    int last = random.nextInt(first, times.size());
    return new Order(
        instrument,
        random.nextBoolean() ? Side.BUY : Side.SELL,
        100 * (1 + random.nextInt(300)) + (random.nextBoolean() ? 50 : 0),
        times.get(first),
        times.get(last).plusMinutes(market.minutes()),
        date);
  }

  /// Plays an order with random child orders and returns them.
  private static String played(SimpleSimulator simulator, SplittableRandom random) {
    var children = new ArrayList<String>();
    while (!simulator.isDone()) {
      double volume = simulator.state().remaining() * random.nextDouble() * 0.8;
      ChildOrder child =
          switch (random.nextInt(4)) {
            case 0 -> ChildOrder.cancel();
            case 1 -> ChildOrder.limit(volume, random.nextDouble(-5, 15));
            default -> ChildOrder.market(volume);
          };
      children.add(
          "{\"kind\": \"%s\", \"volume\": %s, \"offset_bps\": %s}"
              .formatted(
                  child.kind() instanceof ChildOrder.Kind.Limit ? "limit" : "market",
                  child.volume(),
                  child.kind() instanceof ChildOrder.Kind.Limit(double bps) ? bps : 0));
      simulator.step(child);
    }
    return children.toString();
  }

  /// Returns each order with everything that is printed of it.
  private static List<String> cases(
      List<ExecutionState> played,
      List<String> children,
      SimulatorFactory simulators,
      BarSource bars) {
    List<Order> orders = played.stream().map(ExecutionState::order).toList();
    var results = new PolicyResults("random", played.stream().map(OrderResult::of).toList());
    TickSource ticks = order -> simulators.create(order).state().ticks();
    List<OrderRow> rows = OrderRow.of(results, ticks);
    PolicyResults arrival = OrderRow.atArrival(orders, ticks);
    var json = new ArrayList<String>();
    try (var parallel = new ParallelFor(1)) {
      var player = new OrderPlayer((order, _) -> simulators.create(order), orders, parallel);
      Yardsticks yardsticks = Yardsticks.of(player, new VolumeInterpreter()).withVwap(player, bars);
      PolicyResults vwap = Objects.requireNonNull(yardsticks.vwap());
      for (int i = 0; i < orders.size(); i++) {
        Order order = orders.get(i);
        OrderRow row = rows.get(i);
        json.add(
            """
            {"id": "%d", "instrument": "%s", "date": "%s", "side": "%s", "amount": %s, "start": "%s", "end": "%s",
             "children": %s, "result": %s, "twap": %s, "vwap": %s, "arrival": {"advantage_bps": %s},
             "market": {"participation": %s, "turnover": %s, "value": %s}}"""
                .formatted(
                    i,
                    order.instrument(),
                    order.date(),
                    order.side() == Side.BUY ? "buy" : "sell",
                    order.amount(),
                    order.start(),
                    order.end(),
                    children.get(i),
                    json(results.orders().get(i)),
                    json(yardsticks.twap().orders().get(i)),
                    json(vwap.orders().get(i)),
                    arrival.orders().get(i).advantageBps(),
                    number(row.participation()),
                    number(row.turnover()),
                    number(row.value())));
      }
    }
    return json;
  }

  private static String json(OrderResult result) {
    return """
        {"filled": %s, "average_price": %s, "benchmark_price": %s, "completion": %s, "advantage_bps": %s, "cost_bps": %s,
         "net_bps": %s}"""
        .formatted(
            result.filled(),
            number(result.averagePrice()),
            result.benchmarkPrice(),
            result.completion(),
            result.advantageBps(),
            result.costBps(),
            result.netAdvantageBps());
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "null" : Double.toString(value);
  }
}
