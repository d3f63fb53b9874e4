package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole road on each kind of market, every step by its verb: check, convert, orders, train,
/// judge, backtest, select, report, export, inspect, decide, replay, tune.
class MarketRoadTest {

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
  void everyVerbAgrees(Kind kind, int minutes, String costs) throws IOException {
    var market = new MarketBars(kind, minutes, Columns.HIGHS_AND_LOWS, 12, 3);
    Path bars = market.write(folder.resolve("own bars"));
    Path store = folder.resolve("store");
    Path orders = folder.resolve("orders");
    Path run = folder.resolve("run");
    Path bundle = folder.resolve("model.tranche");
    done("data", "check", bars, "--long-run", 1000);
    done("data", "convert", bars, store);
    done("orders", "generate", store, orders, "--size", 0.05, "--size-of", "day");
    Path config =
        Files.writeString(
            folder.resolve("train.yml"),
            """
            tranche: 1
            data: {bars: '%s', orders: '%s', both_sides: false}
            costs: %s
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            trainer: {max_iterations: 2, episodes_per_iteration: 12, repeat: 1}
            validation: {every: 1}
            """
                .formatted(store, orders, costs));
    done("train", config, "--out", run, "--run-backtest");
    List<String> trained = Files.readAllLines(run.resolve("result.csv"));

    String judged = done("judge", run, "--out", folder.resolve("judged"));
    assertThat(judged).contains("weights: ").contains("TWAP").contains("oracle");
    done("backtest", run, "--out", folder.resolve("backtested"));
    done("select", run, "--best", 1);
    done("report", run);
    done("export", run, "--to", bundle);
    done("inspect", bundle);

    Path test = orders.resolve("test");
    assertThat(Files.readAllLines(folder.resolve("backtested/result.csv"))).isEqualTo(trained);
    String decided = done("decide", bundle, "--bars", bars, "--orders", test);
    assertThat(decided.lines().count()).isGreaterThan(files(test));
    assertThat(done("replay", bundle, "--bars", bars, "--orders", test))
        .contains("advantage  %.2f ".formatted(meanAdvantage(trained)));
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

  private static double meanAdvantage(List<String> rows) {
    int column = List.of(rows.getFirst().split(",", -1)).indexOf("advantage_bps");
    return rows.stream()
        .skip(1)
        .mapToDouble(row -> Double.parseDouble(row.split(",", -1)[column]))
        .average()
        .orElseThrow();
  }

  private static long files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  private static String done(Object... arguments) {
    var words = new ArrayList<String>();
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.status()).as("%s: %s%s", words, run.out(), run.err()).isZero();
    return run.out();
  }
}
