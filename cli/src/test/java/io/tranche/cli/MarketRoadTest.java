package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.asOrders;
import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.doneOrSkipping;
import static io.tranche.cli.MarketVerbs.replayed;
import static io.tranche.cli.MarketVerbs.reported;
import static io.tranche.cli.MarketVerbs.reportedPart;
import static io.tranche.cli.MarketVerbs.results;
import static io.tranche.cli.MarketVerbs.served;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole road on each kind of market, every step by its verb: check, convert, features, orders,
/// train, judge, backtest, select, report, export, inspect, decide, replay, serve, tune. Every verb
/// gives the same figures for the same orders.
class MarketRoadTest {

  /// A service is told every bar of an order's day, so it gets a few orders only.
  private static final int SERVED = 4;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "US_STOCKS, 1, us_stocks",
    "CN_STOCKS, 1, cn_stocks",
    "CN_STOCKS, 5, cn_stocks",
    "CN_STOCKS, 15, cn_stocks",
    "CN_FUTURES, 5, cn_futures",
    "CRYPTO, 15, crypto"
  })
  void everyVerbAgreesOnGeneratedBars(Kind kind, int minutes, String costs) throws IOException {
    var market = new MarketBars(kind, minutes, Columns.HIGHS_AND_LOWS, 12, 3);
    Path bars = market.write(folder.resolve("own bars"));
    done("data", "check", bars, "--long-run", 1000);
    walk(bars, costs, "[]");
  }

  // Instruments of different sessions, with unmarked rolls, splits and minutes without trades.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          us_tech_1min_2025_2026        | us_stocks  | [AMAT]
          cn_000001_1min_201801_Apache2 | cn_stocks  | []
          cn_ashare_15min_2025_2026     | cn_stocks  | [600011.SH, 600095.SH]
          cn_futures_5min_2024_MIT      | cn_futures | [SHFE_au, DCE_jm, DCE_lh, CFFEX_IC]
          """)
  void everyVerbAgreesOnRealBars(String name, String costs, String instruments) throws IOException {
    Path bars = Shared.orSkipUntilCi("data/" + name + ".parquet");
    Run check = Run.of("data", "check", bars.toString());
    assertThat(check.err()).as(check.out()).isEmpty();
    walk(bars, costs, instruments);
  }

  private void walk(Path bars, String costs, String instruments) throws IOException {
    Path store = folder.resolve("store");
    Path features = folder.resolve("features");
    Path orders = folder.resolve("orders");
    done("data", "convert", bars, "--out", store);
    Path recipe =
        Files.writeString(
            folder.resolve("features.yml"),
            """
            start: 2000-01-01
            end: 2030-12-31
            columns: [$open, $high, $low, $close]
            norm_groups: {price: 8, volume: 2}
            instruments: %s
            """
                .formatted(instruments));
    doneOrSkipping("data", "features", recipe, "--out", features, "--source", store);
    done("orders", "generate", store, "--out", orders, "--size", 0.05, "--size-of", "day");
    leaveOutTwoDays(orders.resolve("train"));
    Path config =
        Files.writeString(
            folder.resolve("train.yml"),
            """
            tranche: 1
            data: {bars: '%s', features: '%s', orders: '%s', both_sides: false, instruments: %s}
            costs: %s
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            trainer: {max_iterations: 2, episodes_per_iteration: 12, repeat: 1}
            validation: {every: 1}
            """
                .formatted(
                    store,
                    features,
                    orders,
                    instruments.equals("[]") ? "null" : instruments,
                    costs));
    execute(bars, config);
    Path tune =
        Files.writeString(
            folder.resolve("tune.yml"),
            """
            tune: 1
            config: train.yml
            metric: reward
            space: {policy.kwargs.learning_rate: {range: [1.0e-4, 1.0e-2], scale: log}}
            trials: 2
            iterations: 2
            """);
    done("tune", tune, "--out", folder.resolve("tuned"));
  }

  /// Features begin two days after the bars of an instrument.
  private static void leaveOutTwoDays(Path orders) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(orders)) {
      files = found.toList();
    }
    for (Path file : files) {
      var lines = new ArrayList<>(Files.readAllLines(file));
      lines.subList(1, 3).clear();
      Files.write(file, lines);
    }
  }

  private void execute(Path bars, Path config) throws IOException {
    Path run = folder.resolve("run");
    done("train", config, "--out", run, "--run-backtest");
    List<List<Double>> figures = results(run.resolve("result.csv"));

    Path judged = folder.resolve("judged");
    assertThat(done("judge", run, "--out", judged))
        .contains("weights: ")
        .contains("TWAP")
        .contains("oracle");
    assertThat(reported(judged)).isEqualTo(reportedPart(figures));
    done("backtest", run, "--out", folder.resolve("backtested"));
    assertThat(results(folder.resolve("backtested/result.csv"))).isEqualTo(figures);
    done("select", run, "--best", 1);
    assertThat(reported(run)).isEqualTo(reportedPart(figures));
    done("report", run);

    Path bundle = folder.resolve("model.tranche");
    done("export", run, "--out", bundle);
    done("inspect", bundle);
    Path tested = asOrders(run.resolve("result.csv"), folder.resolve("tested.csv"));
    done("judge", bundle, "--orders", tested, "--bars", bars, "--out", folder.resolve("again"));
    assertThat(reported(folder.resolve("again"))).isEqualTo(reportedPart(figures));
    Path table = folder.resolve("replayed.csv");
    Path decisions = folder.resolve("decisions.csv");
    done(
        "replay",
        bundle,
        "--bars",
        bars,
        "--orders",
        tested,
        "--out",
        table,
        "--decisions",
        decisions,
        "--quiet");
    assertThat(replayed(table)).isEqualTo(figures);
    assertThat(done("decide", bundle, "--bars", bars, "--orders", tested))
        .isEqualTo(Files.readString(decisions));
    List<String> lines = Files.readAllLines(tested);
    int few = Math.min(SERVED, figures.size());
    Path some = Files.write(folder.resolve("some.csv"), lines.subList(0, few + 1));
    assertThat(served(folder, bundle, bars, some, folder.resolve("served-decisions.csv")))
        .isEqualTo(figures.subList(0, few));
  }
}
