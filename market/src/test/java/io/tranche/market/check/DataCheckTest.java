package io.tranche.market.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataCheckTest {

  private static final String HEADER = "symbol,datetime,open,high,low,close,volume\n";

  @TempDir Path folder;

  @Test
  void findsNothingInSoundBars() throws IOException {
    CheckReport report =
        check(
            HEADER
                + """
                a,2021-03-01 09:30,2,3,1,2,100
                a,2021-03-01 09:31,2,3,1,3,0.5
                """);

    assertThat(report.findings()).isEmpty();
    assertThat(report.hasErrors()).isFalse();
  }

  @Test
  void criticisesATableWithoutRows() throws IOException {
    CheckReport report = check(HEADER);

    assertThat(report.counts()).containsOnlyKeys(Rule.NO_BARS);
    assertThat(report.hasErrors()).isTrue();
  }

  @Test
  void criticisesAStoreWithoutInstrumentsOrWithoutTheWidthAskedFor() throws IOException {
    Path store = folder.resolve("store");
    Files.createDirectories(store.resolve("features"));
    Files.createDirectories(store.resolve("instruments"));
    Path calendars = Files.createDirectories(store.resolve("calendars"));
    Files.writeString(calendars.resolve("5min.txt"), "2021-03-01 09:30:00\n");
    var mapping = new ColumnMapping(null, null, null, null, Frequency.MINUTE, Map.of(), List.of());

    CheckReport report = DataCheck.check(store, new CheckOptions(mapping, 20, 5));

    assertThat(report.counts()).containsOnlyKeys(Rule.NO_BARS, Rule.CALENDAR);
    assertThat(report.findings().toString()).contains("none of 1min, only of [5min]");
  }

  @Test
  void saysWhatABadTimeFollowsAndWhichValueIsWrong() throws IOException {
    CheckReport report =
        check(
            HEADER
                + """
                a,2021-03-01 09:31,2,3,1,2,100
                a,2021-03-01 09:30,2,3,4,3,0.5
                """);

    assertThat(report.findings().toString())
        .contains("expected times that increase, was one after 2021-03-01 09:31:00")
        .contains("expected high not below low, was high 3.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          NON_MONOTONE_TIME   | a,2021-03-01 09:29,2,3,1,2,1    | a | 2021-03-01 09:29:00
          DUPLICATE_BAR       | a,2021-03-01 09:31,2,3,1,2,1    | a | 2021-03-01 09:31:00
          NEGATIVE_PRICE      | a,2021-03-01 09:32,2,3,-1,2,1   | a | 2021-03-01 09:32:00
          NEGATIVE_VOLUME     | a,2021-03-01 09:32,2,3,1,2,-1   | a | 2021-03-01 09:32:00
          HIGH_BELOW_LOW      | a,2021-03-01 09:32,2,3,4,2,1    | a | 2021-03-01 09:32:00
          OPEN_OUTSIDE_RANGE  | a,2021-03-01 09:32,4,3,1,2,1    | a | 2021-03-01 09:32:00
          CLOSE_OUTSIDE_RANGE | a,2021-03-01 09:32,2,3,1,0.5,1  | a | 2021-03-01 09:32:00
          ZERO_PRICE          | a,2021-03-01 09:32,0,3,0,2,1    | a | 2021-03-01 09:32:00
          INFINITE_VALUE      | a,2021-03-01 09:32,2,inf,1,2,1  | a | 2021-03-01 09:32:00
          PARTLY_MISSING_BAR  | a,2021-03-01 09:32,2,3,1,,1     | a | 2021-03-01 09:32:00
          TRADE_WITHOUT_VOLUME| a,2021-03-01 09:32,2,3,1,2,0    | a | 2021-03-01 09:32:00
          UNPARSABLE_CELL     | a,2021-03-01 09:32,2,3,1,x,1    | - | -
          UNPARSABLE_CELL     | a,2021-03-01 9:32,2,3,1,2,1     | - | -
          WRONG_RECORD        | a,2021-03-01 09:32,2,3,1        | - | -
          WRONG_RECORD        | a,2021-03-01 09:32,2,3,1,2,1,1  | - | -
          NO_INSTRUMENT_OR_TIME | ,2021-03-01 09:32,2,3,1,2,1   | - | -
          """)
  void namesPlaceInstrumentAndTimeOfABrokenRule(
      Rule rule, String row, String instrument, String time) throws IOException {
    CheckReport report =
        check(
            HEADER
                + "a,2021-03-01 09:30,2,3,1,2,1\na,2021-03-01 09:31,2,3,1,2,1\n"
                + row.strip()
                + "\na,2021-03-01 09:33,2,3,1,2,1\n");

    Finding finding =
        report.findings().stream().filter(found -> found.rule() == rule).findFirst().orElseThrow();
    assertThat(finding.file()).endsWith("t.csv");
    assertThat(finding.place()).isEqualTo(":4");
    assertThat(finding.instrument()).isEqualTo(instrument);
    assertThat(finding.time()).isEqualTo(time);
    assertThat(finding.toString()).contains("t.csv:4").contains(rule.text());
    assertThat(report.hasErrors())
        .isEqualTo(
            report.counts().keySet().stream()
                .anyMatch(broken -> broken.severity() == Rule.Severity.ERROR));
  }

  @Test
  void goesOnAfterAFaultAndCountsWhatItDoesNotList() throws IOException {
    var text = new StringBuilder(HEADER);
    for (int i = 0; i < 50; i++) {
      text.append("a,%s,2,3,1,2,-1\n".formatted(BarTime.format(i * 60L)));
    }
    text.append("a,%s,9,3,1,2,1\n".formatted(BarTime.format(50 * 60L)));

    CheckReport report = check(text.toString());

    assertThat(report.count(Rule.NEGATIVE_VOLUME)).isEqualTo(50);
    assertThat(report.omitted(Rule.NEGATIVE_VOLUME)).isEqualTo(30);
    assertThat(report.count(Rule.OPEN_OUTSIDE_RANGE)).isEqualTo(1);
  }

  @Test
  void tellsMissingBarsFromFieldsThatStayEmpty() throws IOException {
    var text = new StringBuilder(HEADER);
    for (int day = 0; day < 4; day++) {
      for (int minute = 0; minute < 60; minute++) {
        String time = BarTime.format(day * 86_400L + minute * 60L);
        boolean gap = day == 2 && minute >= 10 && minute < 20;
        if (!gap && day != 1) {
          String close = day == 3 && minute >= 30 && minute < 40 ? "" : "2";
          text.append("a,%s,2,3,1,%s,1\n".formatted(time, close));
        }
        text.append("b,%s,2,3,1,2,1\n".formatted(time));
      }
    }

    CheckReport report = check(text.toString());

    assertThat(report.counts())
        .containsOnly(
            Map.entry(Rule.EMPTY_DAY, 1L),
            Map.entry(Rule.MISSING_BARS, 1L),
            Map.entry(Rule.NAN_RUN, 1L),
            Map.entry(Rule.PARTLY_MISSING_BAR, 10L));
    assertThat(report.findings())
        .anySatisfy(
            finding -> {
              assertThat(finding.rule()).isEqualTo(Rule.MISSING_BARS);
              assertThat(finding.time()).isEqualTo("1970-01-03 00:10:00");
              assertThat(finding.value()).isEqualTo("10 missing bars");
            });
  }

  @Test
  void findsInstrumentsOfAnotherWidth() throws IOException {
    var text = new StringBuilder(HEADER);
    for (int i = 0; i < 60; i++) {
      text.append("a,%s,2,3,1,2,1\n".formatted(BarTime.format(i * 60L)));
    }
    for (int i = 0; i < 12; i++) {
      text.append("b,%s,2,3,1,2,1\n".formatted(BarTime.format(i * 300L)));
    }

    CheckReport report = check(text.toString());

    assertThat(report.findings())
        .singleElement()
        .extracting(Finding::rule, Finding::instrument)
        .containsExactly(Rule.MIXED_BAR_WIDTHS, "b");
  }

  @Test
  void checksOrders() throws IOException {
    CheckReport report =
        check(
            """
            date,instrument,amount,order_type
            2021-03-01,SH1,100,0
            2021-03-02,SH1,-5,1
            2021-03-03,SH1,5,2
            2021-03-04,,5,1
            2021-03-05,SH1,0,buy
            x,SH1,1,1
            """);

    assertThat(report.count(Rule.BAD_ORDER)).isEqualTo(4);
    assertThat(report.count(Rule.ORDER_WITHOUT_AMOUNT)).isEqualTo(1);
    assertThat(report.findings()).extracting(Finding::place).contains(":3", ":4", ":5", ":6", ":7");
  }

  @Test
  void reportsFilesThatCannotBeReadAtAll() throws IOException {
    assertThat(check("a\n\"x").findings())
        .singleElement()
        .extracting(Finding::rule)
        .isEqualTo(Rule.WRONG_COLUMN);
    assertThat(check(HEADER + "\"x").count(Rule.UNREADABLE)).isEqualTo(1);
    assertThat(DataCheck.check(folder.resolve("none"), CheckOptions.DEFAULT).hasErrors()).isTrue();
    assertThat(check("a,date\n1,2021-03-01\n").hasErrors()).isFalse();
    assertThat(check("date\n2021-03-01\n").count(Rule.WRONG_COLUMN)).isEqualTo(1);
  }

  @Test
  void findsNothingInASoundStore() throws IOException {
    store();

    assertThat(checkStore().findings()).isEmpty();
  }

  @Test
  void findsDamageInAStoreAndChangesNothing() throws IOException {
    store();
    Path features = folder.resolve("features/sh1");
    bin(features.resolve("high.1min.bin"), 0, 3, 3, 3, 3);
    bin(features.resolve("low.1min.bin"), 2, 1, 4);
    bin(features.resolve("vwap.1min.bin"), 3, 1, 1);
    bin(features.resolve("open.1min.bin"), 9, 1);
    bin(features.resolve("factor.1min.bin"), 0, 1, 1, 1, 1, 1);
    Files.write(features.resolve("volume.1min.bin"), new byte[9]);
    bin(features.resolve("close.5min.bin"), 0, 1);
    Files.writeString(
        folder.resolve("instruments/all.txt"),
        "SH1\t2021-03-01\t2021-03-02\nSH2\t2021-03-01\t2021-03-02\nSH3 2021-03-01\n");
    Files.writeString(
        folder.resolve("calendars/day.txt"), "2021-03-02\n2021-03-01\n2021-03-01\nx\n");

    CheckReport report = checkStore();

    assertThat(report.count(Rule.HIGH_BELOW_LOW)).isEqualTo(1);
    assertThat(report.count(Rule.BIN_TOO_LONG)).isEqualTo(2);
    assertThat(report.count(Rule.BIN_HEADER)).isEqualTo(1);
    assertThat(report.count(Rule.TRUNCATED_FILE)).isEqualTo(1);
    assertThat(report.count(Rule.WRONG_COLUMN)).isEqualTo(1);
    assertThat(report.count(Rule.INSTRUMENT_LINE)).isEqualTo(1);
    assertThat(report.count(Rule.INSTRUMENT_WITHOUT_BARS)).isEqualTo(1);
    assertThat(report.count(Rule.NON_MONOTONE_TIME)).isEqualTo(1);
    assertThat(report.count(Rule.DUPLICATE_BAR)).isEqualTo(1);
    assertThat(report.count(Rule.CALENDAR)).isEqualTo(1);
    assertThat(report.findings())
        .filteredOn(finding -> finding.rule() == Rule.HIGH_BELOW_LOW)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.place()).isEqualTo("1min index 3");
              assertThat(finding.time()).isEqualTo("2021-03-01 09:33:00");
            });
    assertThat(checkStore()).isEqualTo(report);
  }

  private void store() throws IOException {
    for (String name : new String[] {"calendars", "instruments", "features/sh1"}) {
      Files.createDirectories(folder.resolve(name));
    }
    Files.writeString(
        folder.resolve("calendars/1min.txt"),
        "2021-03-01 09:30:00\n2021-03-01 09:31:00\n2021-03-01 09:32:00\n2021-03-01 09:33:00\n");
    Files.writeString(
        folder.resolve("instruments/all.txt"), "SH1\t2021-03-01 09:30:00\t2021-03-01 09:33:00\n");
    bin(folder.resolve("features/sh1/close.1min.bin"), 1, 2, 2, 2);
  }

  private static void bin(Path file, float... values) throws IOException {
    var bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    Files.write(file, bytes.array());
  }

  private CheckReport checkStore() {
    return DataCheck.check(folder, CheckOptions.DEFAULT);
  }

  private CheckReport check(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("t.csv"), text);
    return DataCheck.check(file, new CheckOptions(ColumnMapping.DEFAULT, 20, 5));
  }
}
