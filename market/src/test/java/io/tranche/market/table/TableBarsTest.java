package io.tranche.market.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableBarsTest {

  @TempDir Path folder;

  @Test
  void putsRowsOnTheUnionOfAllTimes() throws IOException {
    TableBars bars =
        bars(
            """
            Ticker,date,$Close,Volume
            b,2021-03-01 09:31,1,10
            b,2021-03-01 09:32,2,
            a,2021-03-01 09:30,3,30
            a,2021-03-01 09:32,4,40
            """);

    assertThat(bars.instruments()).containsExactly("b", "a");
    assertThat(bars.fields()).containsExactly("close", "volume");
    assertThat(bars.calendar().size()).isEqualTo(3);
    assertThat(bars.calendar().frequency()).isEqualTo(Frequency.MINUTE);
    assertThat(values(bars.series("a"), 0)).containsExactly(3, Float.NaN, 4);
    assertThat(values(bars.series("b"), 0)).containsExactly(Float.NaN, 1, 2);
    assertThat(values(bars.series("b"), 1)).containsExactly(Float.NaN, 10, Float.NaN);
    assertThat(bars.series("a").isMissing(1)).isTrue();
  }

  @Test
  void readsRowsSortedByTimeAcrossInstruments() throws IOException {
    TableBars bars =
        bars(
            """
            symbol,datetime,close
            a,2021-03-01 09:30,1
            b,2021-03-01 09:30,2
            a,2021-03-01 09:31,3
            b,2021-03-01 09:31,4
            """);

    assertThat(values(bars.series("a"), 0)).containsExactly(1, 3);
    assertThat(values(bars.series("b"), 0)).containsExactly(2, 4);
  }

  @Test
  void coversOnlyTheDaysOfAnInstrument() throws IOException {
    TableBars bars =
        bars(
            """
            symbol,datetime,close
            a,2021-03-01 09:30,1
            a,2021-03-01 09:31,2
            b,2021-03-02 09:30,3
            b,2021-03-02 09:31,4
            """);

    assertThat(bars.series("b").firstDay()).isEqualTo(1);
    assertThat(bars.day("b", LocalDate.of(2021, 3, 1))).isNull();
    assertThat(bars.day("b", LocalDate.of(2021, 3, 2))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a,2021-03-01 09:31,1;a,2021-03-01 09:31,1 | t.csv:3, a at 2021-03-01 09:31:00: expected one bar per time
          a,2021-03-01 09:31,1;a,2021-03-01 09:30,1 | t.csv:3, a at 2021-03-01 09:30:00: expected a time after
          a,2021-03-01 09:31,1;,2021-03-01 09:32,1  | t.csv:3: expected an instrument, was none
          a,2021-03-01 09:31,1;a,,1                 | t.csv:3: expected a time within the years 1 to 9999, was none
          a,2021-03-01 09:31,1;a,2021-03-01 9:32,1  | t.csv:3, column datetime: expected a time such as
          a,2021-03-01 09:31,1;a,2021-03-01 09:32,x | t.csv:3, column close: expected a number
          a,2021-03-01 09:31,1;a,2021-03-01 09:32,inf   | t.csv:3, a at 2021-03-01 09:32:00, field close
          a,2021-03-01 09:31,1;a,2021-03-01 09:32,1e39  | expected a number within the range of a float
          a,2021-03-01 09:31,1                      | expected a mapping with a frequency
          """)
  void namesFileRowInstrumentAndTime(String rows, String message) {
    assertThatThrownBy(() -> bars("symbol,datetime,close\n" + rows.replace(";", "\n")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"symbol,close", "datetime,symbol", "datetime,$close,close"})
  void namesColumnsThatAreMissingOrAmbiguous(String first, String second) {
    assertThatThrownBy(() -> bars("%s,%s\n1,2\n".formatted(first, second)))
        .isInstanceOf(DataException.class);
  }

  @Test
  void takesCodesThatLookLikeNumbersAndConstants() throws IOException {
    assertThat(bars("code,date,close\n600000,2021-03-01,1\n").instruments())
        .containsExactly("600000");
    assertThat(bars("date,close\n2021-03-01,1\n").instruments()).containsExactly("t");
    assertThat(bars("date,close\n2021-03-01,1\n").calendar().frequency()).isEqualTo(Frequency.DAY);
  }

  @Test
  void refusesMixedWidthsByName() {
    var text = new StringBuilder("symbol,datetime,close\n");
    for (int i = 0; i < 100; i++) {
      text.append("a,%s,1\n".formatted(BarTime.format(i * 60L)));
    }
    for (int i = 0; i < 20; i++) {
      text.append("b,%s,1\n".formatted(BarTime.format(i * 300L)));
    }

    assertThatThrownBy(() -> bars(text.toString()))
        .hasMessageContaining("t.csv:103, b at")
        .hasMessageContaining("expected bars of one width, 1min, was mixed bar widths");
  }

  @Test
  void acceptsGapsAnOpeningAuctionAndALunchBreak() throws IOException {
    var text = new StringBuilder("symbol,datetime,close\na,2021-03-01 09:55,1\n");
    for (String time : List.of("10:00", "11:00", "13:30", "14:30")) {
      text.append("a,2021-03-01 %s,1\n".formatted(time));
    }

    assertThat(bars(text.toString()).calendar().frequency()).isEqualTo(Frequency.parse("60min"));
  }

  @Test
  void groupsNightSessionsIntoTradingDays() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("t.csv"),
            """
            symbol,datetime,close
            rb,2024-01-05 21:00,1
            rb,2024-01-05 21:05,2
            rb,2024-01-08 09:00,3
            rb,2024-01-08 09:05,4
            """);
    var mapping =
        ColumnMapping.from(
            ConfigFiles.parse("mapping.yml", "session: cn_futures\nfrequency: 5min\n"));

    var series = ((TableBars) BarFiles.open(file, mapping)).series("rb");

    assertThat(series.calendar().days()).isEqualTo(1);
    assertThat(series.calendar().date(0)).isEqualTo(LocalDate.of(2024, 1, 8));
    assertThat(mapping.session()).isEqualTo(Session.CHINA_FUTURES);
  }

  @Test
  void countsTheNumbersThatAFloatCannotHold() throws IOException {
    TableBars bars =
        bars("date,amount\n2021-03-01,13.35\n2021-03-02,12345678.9\n2021-03-03,16777217\n");

    assertThat(bars.roundedValues()).isEqualTo(2);
  }

  @Test
  void refusesTablesThatWouldFillMemoryWithMissingBars() {
    int rows = 20_000;
    String[] codes = new String[rows];
    long[] times = new long[rows];
    for (int row = 0; row < rows; row++) {
      codes[row] = "i" + row % (rows / 2);
      times[row] = row * 60L;
    }
    var table =
        Table.of(
            Map.of(
                "symbol", Table.Texts.of(codes),
                "time", new Table.Times(times),
                "close", new Table.Numbers(new double[rows])));

    assertThatThrownBy(
            () -> TableBars.of(Path.of("x.csv"), new CsvFormat(), table, ColumnMapping.DEFAULT))
        .hasMessageContaining("instruments that mostly share their bar times");
  }

  private TableBars bars(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("t.csv"), text);
    return (TableBars) BarFiles.open(file, ColumnMapping.DEFAULT);
  }

  private static float[] values(BarSeries series, int field) {
    float[] values = new float[series.size()];
    series.copy(field, 0, values, 0, values.length);
    return values;
  }
}
