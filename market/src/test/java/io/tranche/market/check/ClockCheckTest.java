package io.tranche.market.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockCheckTest {

  private static final LocalDate MONDAY = LocalDate.of(2024, 3, 4);

  @TempDir private Path folder;

  @Test
  void findsNothingWrongWithBarsOnTheirClock() throws IOException {
    for (Session session :
        List.of(Session.CHINA_STOCKS, Session.US_STOCKS, Session.CHINA_FUTURES, Session.CRYPTO)) {
      for (int minutes : List.of(1, 5, 15, 30)) {
        String bars = bars(session, minutes, 0, 10);
        assertThat(check(bars, session)).as("%s %d", session.name(), minutes).isEmpty();
        assertThat(check(bars, null)).as("%s %d", session.name(), minutes).isEmpty();
      }
    }
  }

  @Test
  void findsBarsOfAnotherTimeZone() throws IOException {
    String utc = bars(Session.CHINA_STOCKS, 5, -8 * 3600, 10);

    assertThat(check(utc, Session.CHINA_STOCKS)).containsOnlyKeys(Rule.WRONG_CLOCK);
    assertThat(check(utc, Session.CHINA_STOCKS).toString()).contains("shifted by -08:00");
    assertThat(check(utc, null)).containsOnlyKeys(Rule.FOREIGN_CLOCK);
    assertThat(check(bars(Session.US_STOCKS, 1, 3600, 10), Session.US_STOCKS).toString())
        .contains("us_stocks shifted by +01:00");
  }

  @Test
  void saysThatTimesAreZonedAndConvertsThem() throws IOException {
    String zoned =
        bars(Session.US_STOCKS, 5, 5 * 3600, 5).replaceAll("(?m)^(\\w,[^,]*:00),", "$1Z,");

    assertThat(check(zoned, null).get(Rule.ZONED_TIMES))
        .contains("datetime holds times with a zone or an offset");
    assertThat(check(zoned, Session.US_STOCKS)).isEmpty();
  }

  @Test
  void findsBarsThatAreLabelledByTheirEnd() throws IOException {
    for (int minutes : List.of(1, 5, 15)) {
      String ends = bars(Session.CHINA_STOCKS, minutes, minutes * 60, 10);
      assertThat(check(ends, Session.CHINA_STOCKS)).containsOnlyKeys(Rule.END_LABELS);
      assertThat(check(ends, null)).containsOnlyKeys(Rule.END_LABELS);
      assertThat(checkAs("{label: end}", ends)).isEmpty();
      assertThat(checkAs("{label: end, session: cn_stocks}", ends)).isEmpty();
    }
    String starts = bars(Session.CHINA_STOCKS, 5, 0, 10);
    assertThat(checkAs("{label: end, session: cn_stocks}", starts))
        .containsOnlyKeys(Rule.OUTSIDE_SESSION);
  }

  @Test
  void convertsTimesOfAStatedZone() throws IOException {
    String utc = bars(Session.CHINA_STOCKS, 5, -8 * 3600, 10);

    assertThat(checkAs("{time_zone: UTC, session: cn_stocks}", utc)).isEmpty();
    assertThat(checkAs("{time_zone: UTC}", utc))
        .containsKey(Rule.ZONED_TIMES)
        .asString()
        .contains("times of UTC");
  }

  @Test
  void countsBarsOutsideTheSession() throws IOException {
    String bars =
        bars(Session.CHINA_STOCKS, 5, 0, 10)
            + "b,%s,1,10\n".formatted(BarTime.format(BarTime.of(MONDAY) + 9 * 3600 + 25 * 60))
            + "b,%s,1,10\n".formatted(BarTime.format(BarTime.of(MONDAY) + 9 * 3600 + 30 * 60));

    Map<Rule, String> found = check(bars, Session.CHINA_STOCKS);

    assertThat(found).containsOnlyKeys(Rule.OUTSIDE_SESSION);
    assertThat(found.get(Rule.OUTSIDE_SESSION))
        .contains("b at 2024-03-04 09:25:00")
        .contains("1 of 2 bars");
  }

  @Test
  void findsAPeakOfVolumeAtTheWrongHour() throws IOException {
    var bars = new StringBuilder("symbol,datetime,close,volume\n");
    for (int day = 0; day < 5; day++) {
      for (long time : Session.US_STOCKS.barStarts(Frequency.ofMinutes(5))) {
        int volume = time == 12 * 3600 + 30 * 60 ? 500 : 100;
        bars.append(line("a", BarTime.of(MONDAY.plusDays(day)) + time, 10, volume));
      }
    }

    assertThat(check(bars.toString(), Session.US_STOCKS))
        .containsOnlyKeys(Rule.VOLUME_PEAK)
        .hasToString("{VOLUME_PEAK=%s}".formatted(found("12:30")));
  }

  private String found(String value) {
    return file() + ": expected " + Rule.VOLUME_PEAK.text() + ", was " + value;
  }

  @Test
  void findsPriceJumpsThatNoFactorExplains() throws IOException {
    String header = "symbol,datetime,close,volume,factor\n";
    String before = "a,2024-03-04 09:30,100,10,1\na,2024-03-04 09:31,101,10,1\n";
    String split = "a,2024-03-05 09:30,50.5,10,%d\na,2024-03-05 09:31,50,10,%d\n";

    Map<Rule, String> unexplained = check(header + before + split.formatted(1, 1), null);
    assertThat(unexplained).containsOnlyKeys(Rule.PRICE_JUMP);
    assertThat(unexplained.get(Rule.PRICE_JUMP))
        .contains("2024-03-05 09:30:00")
        .contains("0.5000 times");
    assertThat(check(header + before + split.formatted(2, 2), null)).isEmpty();
  }

  /// Ten days of bars with most volume at the open and the close of each segment.
  private static String bars(Session session, int minutes, int shift, int days) {
    var text = new StringBuilder("symbol,datetime,close,volume\n");
    for (int day = 0; day < days; day++) {
      for (Session.Segment segment : session.segments()) {
        for (int at = segment.open(); at < segment.close(); at += minutes * 60) {
          int edge = Math.min(at - segment.open(), segment.close() - at);
          int volume = 100 + 100_000 / (edge / 60 + 10);
          text.append(line("a", BarTime.of(MONDAY.plusDays(day)) + at + shift, 10, volume));
        }
      }
    }
    return text.toString();
  }

  private static String line(String instrument, long time, int close, int volume) {
    return "%s,%s,%d,%d\n".formatted(instrument, BarTime.format(time), close, volume);
  }

  private Path file() {
    return folder.resolve("t.csv");
  }

  private Map<Rule, String> check(String csv, @Nullable Session session) throws IOException {
    Files.writeString(file(), csv);
    ColumnMapping usual = ColumnMapping.DEFAULT;
    return found(
        new ColumnMapping(null, null, null, session, null, usual.renames(), usual.columns()));
  }

  private Map<Rule, String> checkAs(String mapping, String csv) throws IOException {
    Files.writeString(file(), csv);
    return found(ColumnMapping.from(ConfigFiles.parse("mapping", mapping)));
  }

  private Map<Rule, String> found(ColumnMapping mapping) {
    var found = new EnumMap<Rule, String>(Rule.class);
    for (Finding finding :
        DataCheck.check(file(), new CheckOptions(mapping, 20, 1000)).findings()) {
      found.put(finding.rule(), finding.toString());
    }
    return found;
  }
}
