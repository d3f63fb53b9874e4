package io.tranche.cli;

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
  void everyVerbAgreesOnGeneratedBars(Kind kind, int minutes, String costs) throws IOException {
    var market = new MarketBars(kind, minutes, Columns.HIGHS_AND_LOWS, 12, 3);
    Path bars = market.write(folder.resolve("own bars"));
    done("data", "check", bars, "--long-run", 1000);
    walk(bars, costs, "null");
  }

  // Instruments of different sessions, with unmarked rolls, splits and minutes without trades.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          us_tech_1min_2025_2026    | us_stocks  | [AMAT, ADBE]
          cn_ashare_15min_2025_2026 | cn_stocks  | [600011.SH, 600095.SH]
          cn_futures_5min_2024_MIT  | cn_futures | [SHFE_au, DCE_jm, DCE_lh, CFFEX_IC]
          """)
  void everyVerbAgreesOnRealBars(String name, String costs, String instruments) throws IOException {
    walk(Shared.orSkip("data/" + name + ".parquet"), costs, instruments);
  }

  private void walk(Path bars, String costs, String instruments) throws IOException {
    Path store = folder.resolve("store");
    Path orders = folder.resolve("orders");
    Path run = folder.resolve("run");
    Path bundle = folder.resolve("model.tranche");
    done("data", "convert", bars, store);
    done("orders", "generate", store, orders, "--size", 0.05, "--size-of", "day");
    Path config =
        Files.writeString(
            folder.resolve("train.yml"),
            """
            tranche: 1
            data: {bars: '%s', orders: '%s', both_sides: false, instruments: %s}
            costs: %s
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            trainer: {max_iterations: 2, episodes_per_iteration: 12, repeat: 1}
            validation: {every: 1}
            """
                .formatted(store, orders, instruments, costs));
    done("train", config, "--out", run, "--run-backtest");
    List<String> trained = Files.readAllLines(run.resolve("result.csv"));

    String judged = done("judge", run, "--out", folder.resolve("judged"));
    assertThat(judged).contains("weights: ").contains("TWAP").contains("oracle");
    done("backtest", run, "--out", folder.resolve("backtested"));
    done("select", run, "--best", 1);
    done("report", run);
    done("export", run, "--out", bundle);
    done("inspect", bundle);

    assertThat(Files.readAllLines(folder.resolve("backtested/result.csv"))).isEqualTo(trained);
    Path tested = testedOrders(trained);
    String decided = done("decide", bundle, "--bars", bars, "--orders", tested);
    assertThat(decided.lines().count()).isGreaterThan(trained.size());
    assertThat(done("replay", bundle, "--bars", bars, "--orders", tested))
        .contains("advantage  %.2f ".formatted(meanAdvantage(trained)));
    String bundled =
        done("judge", bundle, "--orders", tested, "--bars", bars, "--out", folder.resolve("again"));
    assertThat(agent(bundled)).isEqualTo(agent(judged));
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

  /// Writes the orders of a result file as an order file.
  private Path testedOrders(List<String> rows) throws IOException {
    var text = new StringBuilder("instrument,side,start,end,amount\n");
    for (String row : rows.subList(1, rows.size())) {
      text.append(String.join(",", List.of(row.split(",", -1)).subList(0, 5))).append('\n');
    }
    return Files.writeString(folder.resolve("tested.csv"), text);
  }

  /// Returns the agent's row of a judgement, without the spaces that align it.
  private static String agent(String judged) {
    return judged
        .lines()
        .filter(line -> line.startsWith("the agent "))
        .findFirst()
        .orElseThrow()
        .replaceAll(" +", " ");
  }

  private static double meanAdvantage(List<String> rows) {
    int column = List.of(rows.getFirst().split(",", -1)).indexOf("advantage_bps");
    return rows.stream()
        .skip(1)
        .mapToDouble(row -> Double.parseDouble(row.split(",", -1)[column]))
        .average()
        .orElseThrow();
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
