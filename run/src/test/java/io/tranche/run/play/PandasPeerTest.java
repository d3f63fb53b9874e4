package io.tranche.run.play;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.session.SessionBars;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random orders with random child orders on each kind of market, against the same rule written
/// again in pandas (`native_rule.py`).
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
    "CN_STOCKS, 1, HIGHS_AND_LOWS",
    "CN_STOCKS, 5, QUOTES",
    "CN_STOCKS, 15, NEITHER",
    "US_STOCKS, 1, QUOTES",
    "US_STOCKS, 15, HIGHS_AND_LOWS",
    "CN_FUTURES, 5, HIGHS_AND_LOWS",
    "CN_FUTURES, 15, NEITHER",
    "CRYPTO, 1, NEITHER",
    "CRYPTO, 15, QUOTES"
  })
  void pandasRecomputesEveryOrder(Kind kind, int minutes, Columns columns)
      throws IOException, InterruptedException {
    Path python = Python.withOrSkip("pandas");
    var market = new MarketBars(kind, minutes, columns, 10, 7);
    Path file = market.write(folder);
    String program = resource();
    for (boolean harsh : List.of(false, true)) {
      Path peer = folder.resolve("case-" + harsh + ".json");
      Files.writeString(peer, played(market, file, harsh));
      assertThat(Python.run(python, program, peer.toString()).strip())
          .isEqualTo(ORDERS + " orders compared, 0 differences");
    }
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
      while (json.size() < ORDERS) {
        LocalDate date = market.dates().get(random.nextInt(market.days()));
        Order order = order(market, date, random);
        try {
          json.add(played(json.size(), date, simulators.create(order), random));
        } catch (DataException e) {
          assertThat(e).hasMessageContaining("none"); // a window without bars
        }
      }
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

  private static String played(
      int id, LocalDate date, SimpleSimulator simulator, SplittableRandom random) {
    Order order = simulator.state().order();
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
    OrderResult result = OrderResult.of(simulator.state());
    return """
        {"id": "%d", "instrument": "%s", "date": "%s", "side": "%s", "amount": %s, "start": "%s", "end": "%s",
         "children": %s, "result": {"filled": %s, "average_price": %s, "benchmark_price": %s, "completion": %s,
         "advantage_bps": %s, "cost_bps": %s}}"""
        .formatted(
            id,
            order.instrument(),
            date,
            order.side() == Side.BUY ? "buy" : "sell",
            order.amount(),
            order.start(),
            order.end(),
            children,
            result.filled(),
            Double.isNaN(result.averagePrice()) ? "null" : result.averagePrice(),
            result.benchmarkPrice(),
            result.completion(),
            result.advantageBps(),
            result.costBps());
  }
}
