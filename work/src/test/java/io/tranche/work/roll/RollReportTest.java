package io.tranche.work.roll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.work.roll.RollPlan.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two made windows of six judged days each, with one buy and one sell per day.
///
/// Expected intervals come from a program of its own, which leaves out one day at a time and
/// integrates Student's density: 2.2010 at 97.5 % and 0.8755 at 80 %, of 11 degrees of freedom.
class RollReportTest {

  private static final int DAYS = 6;
  private static final LocalDate FIRST = LocalDate.of(2024, 1, 1);

  /// What an agent wins on an order, day by day from 0 over all windows.
  @FunctionalInterface
  private interface Gain {
    double bps(int day, Side side);
  }

  @TempDir private Path folder = Path.of("");

  private final List<Window> windows = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();

  private void window(int days, double guard, double filled, Gain gain) throws IOException {
    var table = new StringBuilder("date,side,filled,twap_filled,over_twap_bps\n");
    int first = DAYS * windows.size();
    for (int day = first; day < first + days; day++) {
      for (Side side : Side.values()) {
        table.append(
            "%s,%s,%s,1.0,%s%n"
                .formatted(
                    FIRST.plusDays(day),
                    side.name().toLowerCase(Locale.ROOT),
                    filled,
                    gain.bps(day, side)));
      }
    }
    window(table.toString(), guard);
  }

  private void window(String judged, double guard) throws IOException {
    int number = windows.size() + 1;
    Path place = Files.createDirectories(folder.resolve("%03d".formatted(number)));
    Files.writeString(place.resolve("judged.csv"), judged);
    Files.writeString(place.resolve("chosen.txt"), "checkpoint,guard\n003,%s\n".formatted(guard));
    folders.add(place);
    windows.add(
        new Window(
            number,
            List.of(FIRST.minusDays(2)),
            List.of(FIRST.minusDays(1)),
            Stream.iterate(FIRST.plusDays((number - 1L) * DAYS), day -> day.plusDays(1))
                .limit(DAYS)
                .toList()));
  }

  private RollReport report() {
    return RollReport.read(windows, folders);
  }

  private RollReport report(Gain gain) throws IOException {
    window(DAYS, 1, 1, gain);
    window(DAYS, 1, 1, gain);
    return report();
  }

  /// Days of `mean` + 1 and `mean` - 1 in turn, whose mean has a standard error of 0.3015.
  private static double turns(int day, double mean) {
    return day % 2 == 0 ? mean + 1 : mean - 1;
  }

  @Test
  void aClearGainOnBothSidesIsBetter() throws IOException {
    RollReport report = report((day, _) -> turns(day, 2));

    assertThat(report.verdict())
        .isEqualTo("better than TWAP by 2.0 bps (95 % 1.3 to 2.7, 12 days, 100.0 % filled)");
    assertThat(report.remarks()).isEmpty();
    assertThat(report.lines())
        .contains(
            "all windows: +2.00 bps over TWAP, +1.34 to +2.66, 24 orders on 12 days that no window"
                + " had seen",
            "verdict: " + report.verdict());
  }

  @Test
  void aGainOnOneSideIsNoDifference() throws IOException {
    RollReport report = report((day, side) -> turns(day, side == Side.BUY ? 8 : -3));

    assertThat(report.together().isAboveZero()).isTrue();
    assertThat(report.verdict())
        .isEqualTo(
            "no difference from TWAP: 2.5 bps (95 % 1.8 to 3.2, 12 days, 100.0 % filled), but not"
                + " on each side: sells -3.0 (-3.7 to -2.3), buys 8.0 (7.3 to 8.7)");
  }

  @Test
  void aLossIsWorse() throws IOException {
    assertThat(report((day, _) -> turns(day, -2)).verdict())
        .isEqualTo("worse than TWAP by 2.0 bps (95 % 1.3 to 2.7, 12 days, 100.0 % filled)");
  }

  @Test
  void afterNoDifferenceItSaysWhatCouldStillHide() throws IOException {
    RollReport report = report((day, _) -> day % 2 == 0 ? 3 : -2);

    assertThat(report.verdict())
        .isEqualTo("no difference from TWAP: 0.5 bps (95 % -1.2 to 2.2, 12 days, 100.0 % filled)");
    assertThat(report.remarks())
        .containsExactly(
            "Not ruled out: an advantage of up to 2.2 bps over TWAP. One of 2.3 bps would have been"
                + " seen in four of five such samples.");
    assertThat(report.lines())
        .containsSubsequence("verdict: " + report.verdict(), report.remarks().getFirst());
  }

  @Test
  void whatIsNotFilledIsNotCompared() throws IOException {
    window(DAYS, 1, 0.9, (day, _) -> turns(day, 2));
    window(DAYS, 1, 1, (day, _) -> turns(day, 2));

    assertThat(report().verdict())
        .isEqualTo(
            "does not complete: 95.0 % filled (TWAP 100.0 %) of at least 99 %; +2.0 bps (95 % 1.3"
                + " to 2.7, 12 days)");
    assertThat(report().remarks()).isEmpty();
  }

  @Test
  void aFewDaysProveNothing() throws IOException {
    window(DAYS, 1, 1, (day, _) -> turns(day, 2));
    window(3, 1, 1, (day, _) -> turns(day, 2));

    assertThat(report().together().isAboveZero()).isTrue();
    assertThat(report().verdict())
        .startsWith("not enough days to tell from TWAP: 9 of at least 10; so far +2.1 bps (95 % ");
  }

  @Test
  void anAgentThatIgnoresTheSideIsNoMeasurement() throws IOException {
    RollReport report = report((_, side) -> side == Side.BUY ? 72 : -72);

    assertThat(report.verdict())
        .isEqualTo(
            "no difference from TWAP on average: what buys win, sells of the same orders lose"
                + " (sells -72.0 (-72.0 to -72.0), buys 72.0 (72.0 to 72.0); one order differs by"
                + " 72.0 bps, 12 days, 100.0 % filled)");
    assertThat(report.remarks()).isEmpty();
  }

  @Test
  void whatNoGuardLetsDeviateIsTwap() throws IOException {
    window(DAYS, 0, 1, (_, _) -> 0);
    window(DAYS, 0, 1, (_, _) -> 0);

    assertThat(report().verdict()).isEqualTo("TWAP: no guard opened");
    assertThat(report().remarks()).isEmpty();
  }

  @Test
  void theSameResultUnderAnOpenGuardIsCalledThat() throws IOException {
    window(DAYS, 0, 1, (_, _) -> 0);
    window(DAYS, 0.5, 1, (_, _) -> 0);

    assertThat(report().verdict())
        .isEqualTo(
            "no difference from TWAP: the same result on every order (12 days, 100.0 % filled)");
  }

  @Test
  void aGainThatALinearForecastHasTooNeedsNoNetwork() throws IOException {
    linear(2);
    assertThat(report().verdict()).startsWith("better than TWAP by 2.0 bps");
    assertThat(report().remarks())
        .containsExactly(
            "It is not shown to be better than the linear baseline: what it has learnt needs no"
                + " network.");

    linear(0);
    assertThat(report().verdict()).startsWith("better than TWAP by 2.0 bps");
    assertThat(report().remarks()).isEmpty();
  }

  /// Makes two windows whose agent wins 2 bps on average.
  ///
  /// @param bps what the linear baseline wins on average, with other days than the agent's
  private void linear(double bps) throws IOException {
    windows.clear();
    folders.clear();
    for (int window = 0; window < 2; window++) {
      var table = new StringBuilder("date,side,filled,twap_filled,over_twap_bps,linear_bps\n");
      for (int i = 0; i < DAYS; i++) {
        int day = window * DAYS + i;
        for (String side : List.of("buy", "sell")) {
          table.append(
              "%s,%s,1.0,1.0,%s,%s%n"
                  .formatted(FIRST.plusDays(day), side, turns(day, 2), turns(day / 2, bps)));
        }
      }
      window(table.toString(), 1);
    }
  }

  @Test
  void anEarlierVersionsFileIsNamed() throws IOException {
    window("date,over_twap_bps\n2024-01-01,1.0\n", 1);

    assertThatThrownBy(this::report)
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith(
            folder.resolve("001/judged.csv")
                + ": expected the columns date, side, filled, twap_filled, over_twap_bps, which"
                + " earlier versions did not write (delete this file and the window's model, then"
                + " roll again: the window is judged again), was [date, over_twap_bps]");
  }
}
