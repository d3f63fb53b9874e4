package io.tranche.benchmarks.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.MarketBars;
import io.tranche.testkit.Shared;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class RealBenchmarkTest {

  /// What a row may say of an agent: nothing without its interval.
  private static final Pattern VERDICT =
      Pattern.compile(
          "TWAP: no guard opened"
              + "|no difference from TWAP: the same result on every order \\(.* filled.*\\)"
              + "|(no difference|not enough days to tell) from TWAP.* what buys win, sells of the"
              + " same orders lose \\(.* filled.*\\)"
              + "|(better than|worse than|no difference from|not enough days to tell from) TWAP.*"
              + " \\((no interval from one day|95 % -?[0-9.]+ to -?[0-9.]+, \\d+ days), .*"
              + " filled.*\\).*"
              + "|does not complete: .* filled .*");

  private static final MarketBars BARS =
      new MarketBars(MarketBars.Kind.CN_STOCKS, 15, MarketBars.Columns.HIGHS_AND_LOWS, 10, 1);

  @TempDir private Path folder = Path.of("");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private int bench(String... arguments) {
    return new CommandLine(
            new RealBenchmark(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(log, true, StandardCharsets.UTF_8)))
        .setErr(new PrintWriter(log, true, StandardCharsets.UTF_8))
        .execute(arguments);
  }

  private List<String> rows() {
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.split(" \\| ", -1).length > 4)
        .filter(line -> !line.startsWith("| bars") && !line.startsWith("| switch"))
        .toList();
  }

  @Test
  void walksOverBarsOfAnyoneAndGoesOnWhereItWas() {
    Path bars = BARS.write(folder.resolve("my bars"));
    Path results = folder.resolve("real");

    assertThat(bench("--quick", "--out", results.toString(), bars.toString()))
        .as(log.toString(StandardCharsets.UTF_8))
        .isZero();
    List<String> first = rows();
    assertThat(first).hasSize(1).allSatisfy(RealBenchmarkTest::assertHonest);
    assertThat(results.resolve("real.md")).content().contains(first.getFirst(), "CPU hours");

    out.reset();
    log.reset();
    assertThat(bench("--quick", "--out", results.toString(), bars.toString())).isZero();
    assertThat(rows()).isEqualTo(first);
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("trains");
  }

  @Test
  void saysWhatTheBudgetDidNotAllow() {
    Path bars = BARS.write(folder.resolve("bars"));

    int code =
        bench(
            "--quick", "--hours", "0", "--out", folder.resolve("real").toString(), bars.toString());

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("Not tried:", "recipe, seed 1: the budget was used up");
  }

  /// Few days of training, so that the figures mean nothing; every kind of switch is walked.
  @Test
  void triesSwitchesOnAnEmbeddedLaw() {
    String place = folder.resolve("laws").toString();
    String switches = "ensemble,scale,tuned,volatility";

    int code = bench("--quick", "--laws", "pulse", "--switches", switches, "--out", place);

    assertThat(code).as(log.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("Not tried");
    assertThat(rows())
        .hasSize(5)
        .anyMatch(row -> row.startsWith("| law-pulse | 4, 150 | 1 |"))
        .anyMatch(row -> row.contains("three seeds, their scores averaged"))
        .anyMatch(row -> row.contains("scaled days"))
        .anyMatch(row -> row.contains("fine-tuned for one instrument"));
    assertThat(bench("--laws", "nowhere")).isEqualTo(2);
    assertThat(bench("--switches", "more", "--laws", "pulse")).isEqualTo(2);
  }

  @Test
  void anEmbeddedMarketHasTheDaysItIsGiven() {
    String place = folder.resolve("laws").toString();

    assertThat(bench("--quick", "--laws", "impact", "--days", "60", "--out", place)).isZero();
    assertThat(rows()).anyMatch(row -> row.startsWith("| law-impact | 4, 60 | 1 |"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--seeds",
        "--iterations",
        "--episodes",
        "--windows",
        "--days",
        "--instruments",
        "--threads"
      })
  void refusesToDoNothing(String option) {
    Path place = folder.resolve("nothing");

    assertThat(bench("--laws", "pulse", option, "0", "--out", place.toString())).isEqualTo(2);
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains(option + " must be at least 1, was 0");
    assertThat(place).doesNotExist();
  }

  /// Each real file that lies beside the project, with almost no training: whatever comes of it,
  /// the report must not hide it.
  @Test
  void isHonestOnEveryRealFile() throws IOException {
    Path data = Shared.orSkip("data");
    try (Stream<Path> files = Files.list(data)) {
      for (Path file :
          files.filter(each -> each.toString().endsWith(".parquet")).sorted().toList()) {
        out.reset();
        int code = bench("--quick", "--out", folder.resolve("real").toString(), file.toString());

        assertThat(code).as(log.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("CPU hours");
        if (rows().isEmpty()) {
          assertThat(out.toString(StandardCharsets.UTF_8)).contains("Not tried:");
        }
        assertThat(rows()).allSatisfy(RealBenchmarkTest::assertHonest);
      }
    }
  }

  private static void assertHonest(String row) {
    String[] cells = row.split(" \\| ", -1);
    String verdict = cells[cells.length - 1].replace(" |", "");
    assertThat(verdict).matches(VERDICT);
    String[] gain = cells[5].split(" ± ", -1);
    if (gain.length == 1) {
      assertThat(verdict).doesNotStartWith("better");
      assertThat(cells[5]).endsWith("(one day, no interval)");
      return;
    }
    double low = Double.parseDouble(gain[0]) - Double.parseDouble(gain[1]);
    double high = Double.parseDouble(gain[0]) + Double.parseDouble(gain[1]);
    if (verdict.startsWith("better")) {
      assertThat(low).isGreaterThanOrEqualTo(0);
    }
    if (high < -0.01) {
      assertThat(verdict)
          .as("a loss is named")
          .matches("(worse|not enough days|does not complete).*");
    }
    if (verdict.startsWith("TWAP")) {
      assertThat(high).isZero();
    }
  }

  /// With the sign of each real day drawn by a coin there is nothing to win, and the guard must see
  /// that.
  @Test
  void theGuardRarelyOpensOnRealDaysWithShuffledSigns() {
    Path file = Shared.orSkip("data/cn_ashare_15min_2025_2026.parquet");

    assertThat(ShuffledDays.opens(file, RealMarket.of(file, 6).instruments())).isLessThan(0.05);
  }

  @Test
  void theGuardRarelyOpensOnShuffledDaysOfAnyMarket() {
    Path file =
        new MarketBars(MarketBars.Kind.US_STOCKS, 30, MarketBars.Columns.HIGHS_AND_LOWS, 40, 3)
            .write(folder.resolve("us"));

    assertThat(ShuffledDays.opens(file, RealMarket.of(file, 6).instruments())).isLessThan(0.05);
  }
}
