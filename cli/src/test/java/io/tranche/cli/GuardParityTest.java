package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.asOrders;
import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.replayed;
import static io.tranche.cli.MarketVerbs.report;
import static io.tranche.cli.MarketVerbs.reported;
import static io.tranche.cli.MarketVerbs.reportedPart;
import static io.tranche.cli.MarketVerbs.results;
import static io.tranche.cli.MarketVerbs.served;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.execution.DeviationGuard;
import io.tranche.run.play.GuardFile;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A guard means the same to every verb and to a service, whatever its size, and real bars have one
/// without being asked.
class GuardParityTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"CN_STOCKS, 5, 0", "US_STOCKS, 15, 0.35", "CN_FUTURES, 15, 1"})
  void everyVerbAgrees(Kind kind, int minutes, double size) throws IOException {
    Path bars =
        new MarketBars(kind, minutes, Columns.NEITHER, 18, 7).write(folder.resolve("own bars"));
    Path config =
        Files.writeString(
            folder.resolve("run.yml"),
            """
            tranche: 1
            data: {bars: '%s', both_sides: false}
            simulator: {class: SimpleSimulator, kwargs: {minutes_per_step: 30, participation: 0.05}}
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            trainer: {max_iterations: 1, episodes_per_iteration: 12, repeat: 1}
            validation: {every: 1, judge: false}
            """
                .formatted(bars));
    Path run = folder.resolve("run");
    assertThat(done("train", config, "--out", run))
        .contains(
            "to see 1 bps over TWAP takes ", "all verbs will use ", "guard: TWAP (not enough");
    GuardFile fitted = Objects.requireNonNull(GuardFile.read(run.resolve("guard.yml")));
    assertThat(fitted.guard().isTwap()).isTrue();
    new GuardFile(
            fitted.checkpoint(), fitted.others(), new DeviationGuard(size, "the test says so"))
        .write(run.resolve("guard.yml"));

    assertThat(done("backtest", run, "--out", folder.resolve("backtested")))
        .contains("; guard: ", "the test says so");
    List<List<Double>> figures = results(folder.resolve("backtested/result.csv"));
    Path orders = asOrders(folder.resolve("backtested/result.csv"), folder.resolve("tested.csv"));
    done("judge", run, "--out", folder.resolve("judged"));
    assertThat(reported(folder.resolve("judged"))).isEqualTo(reportedPart(figures));

    Path bundle = folder.resolve("model@1.tranche");
    assertThat(done("export", run, "--out", bundle)).contains("guard: ", "the test says so");
    assertThat(done("inspect", bundle)).contains("guard");
    Path again = folder.resolve("again");
    done("judge", bundle, "--orders", orders, "--bars", bars, "--out", again);
    assertThat(reported(again)).isEqualTo(reportedPart(figures));
    Path replayed = folder.resolve("replayed.csv");
    done("replay", bundle, "--bars", bars, "--orders", orders, "--out", replayed, "--quiet");
    assertThat(replayed(replayed)).isEqualTo(figures);
    assertServed(bundle, bars, orders, figures, size);

    assertThat(done("stress", run, "--out", folder.resolve("stressed")))
        .contains("bars 2 late, all orders", "conditions against TWAP: ");
    assertThat(folder.resolve("stressed/certificate.md")).content().contains("the test says so");
    if (size == 0) {
      var overTwap = report(folder.resolve("judged")).get("comparisons").get(0).get("together");
      assertThat(overTwap.get("mean_bps").doubleValue()).isZero();
      assertThat(done("judge", run, "--weights", "best", "--out", folder.resolve("alone")))
          .doesNotContain("; guard: ");
    }
    if (size == 1) {
      done("judge", run, "--weights", "best", "--out", folder.resolve("alone"));
      assertThat(reported(folder.resolve("alone"))).isEqualTo(reportedPart(figures));
    }
  }

  /// The service decides as the backtest, and the evidence shows what the guard made of the model's
  /// wish.
  private void assertServed(
      Path bundle, Path bars, Path orders, List<List<Double>> figures, double size)
      throws IOException {
    List<String> lines = Files.readAllLines(orders);
    Path one = Files.write(folder.resolve("one.csv"), lines.subList(0, 2));
    Path decisions = folder.resolve("served.csv");
    assertThat(served(folder, bundle, bars, one, decisions)).isEqualTo(figures.subList(0, 1));
    Path journal = folder.resolve("journal");
    String id = Files.readAllLines(decisions).get(1).split(",", -1)[0];
    String explained = done("journal", "explain", journal, id, "--models", folder);
    Matcher found =
        Pattern.compile("the test says so\\), the model alone wanted (\\S+)\\s+wish +([^,]+)")
            .matcher(explained);
    boolean isSame = true;
    int count = 0;
    while (found.find()) {
      isSame &= found.group(1).equals(found.group(2));
      count++;
    }
    assertThat(count).as(explained).isGreaterThan(1);
    assertThat(isSame).as(explained).isEqualTo(size == 1);
    assertThat(explained)
        .contains("  guard        " + new DeviationGuard(size, "the test says so"))
        .contains("the same, bit for bit", ", 0 differ");
  }
}
