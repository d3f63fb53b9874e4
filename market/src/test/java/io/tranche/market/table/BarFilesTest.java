package io.tranche.market.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.session.BarLabel;
import io.tranche.market.session.SessionBars;
import io.tranche.market.session.StatedSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BarFilesTest {

  @TempDir Path folder;

  @Test
  void opensAFolderWithOneInstrumentAFile() throws IOException {
    Files.writeString(folder.resolve("SZ2.csv"), "date,close\n2021-03-01,1\n2021-03-02,2\n");
    Files.writeString(folder.resolve("SH1.csv"), "date,open\n2021-03-02,3\n2021-03-03,4\n");
    Files.writeString(folder.resolve("README.md"), "not a table");

    BarSource bars = BarFiles.open(folder, ColumnMapping.DEFAULT);

    assertThat(bars.instruments()).containsExactly("SH1", "SZ2");
    assertThat(bars.fields()).containsExactly("open", "close");
    assertThat(bars.calendar().size()).isEqualTo(3);
    assertThat(bars.series("SZ2").value(0, 0)).isNaN();
    assertThat(bars.series("SZ2").value(1, 0)).isEqualTo(1);
  }

  @Test
  void continuesAnInstrumentInTheNextFile() throws IOException {
    Files.writeString(folder.resolve("1.csv"), "symbol,date,close\na,2021-03-01,1\n");
    Files.writeString(folder.resolve("2.csv"), "symbol,date,close\na,2021-03-02,2\n");

    assertThat(BarFiles.open(folder, ColumnMapping.DEFAULT).series("a").size()).isEqualTo(2);

    Files.writeString(folder.resolve("3.csv"), "symbol,date,close\na,2021-03-02,2\n");
    assertThatThrownBy(() -> BarFiles.open(folder, ColumnMapping.DEFAULT))
        .hasMessageContaining("3.csv:2, a at 2021-03-02 00:00:00: expected one bar per time");
  }

  @ParameterizedTest
  @CsvSource({
    "2024-03-08T14:30:00Z, 2024-03-11T13:30:00Z, 2024-03-08, 2024-03-11",
    "2024-11-01T13:30:00Z, 2024-11-04T14:30:00Z, 2024-11-01, 2024-11-04",
    "2024-03-08 09:30:00-05:00, 2024-03-11 09:30:00-04:00, 2024-03-08, 2024-03-11"
  })
  void timesWithAnOffsetAreConvertedToTheSession(
      String before, String after, LocalDate friday, LocalDate monday) throws IOException {
    String second = before.replace("30:00", "31:00");
    Files.writeString(
        folder.resolve("a.csv"), "date,close\n%s,1\n%s,2\n%s,3\n".formatted(before, second, after));

    BarSource bars = BarFiles.openSessions(folder, withSession(Session.US_STOCKS));

    Calendar days = bars.calendar("a");
    assertThat(BarTime.dateTime(days.time(0))).isEqualTo(friday.atTime(9, 30));
    assertThat(BarTime.dateTime(days.time(days.dayStart(1)))).isEqualTo(monday.atTime(9, 30));
    assertThat(bars.series("a").value(0, 1)).isEqualTo(2);
  }

  @Test
  void timesWithAnOffsetNeedASessionAndAreNotMixed() throws IOException {
    Path file = folder.resolve("a.csv");
    String zoned = "date,close\n2024-03-04T14:30:00Z,1\n2024-03-04T14:31:00Z,2\n";
    Files.writeString(file, zoned);
    assertThatThrownBy(() -> BarFiles.openSessions(file, ColumnMapping.DEFAULT))
        .isInstanceOf(DataException.class)
        .hasMessage(
            file
                + ": session: expected one for a, such as --session us_stocks or segments with a"
                + " zone, to convert times of UTC, was none");
    assertThatThrownBy(() -> BarFiles.open(file, ColumnMapping.DEFAULT))
        .hasMessageContaining("expected times of the exchange, without an offset");

    Files.writeString(file, zoned + "2024-03-04 14:32:00,3\n");
    assertThatThrownBy(() -> BarFiles.openSessions(file, withSession(Session.US_STOCKS)))
        .hasMessage(
            file
                + ":4, column date: expected times that all have an offset such as +08:00 or Z, or"
                + " none of them, was '2024-03-04 14:32:00'");

    Files.writeString(file, zoned);
    Files.writeString(folder.resolve("b.csv"), zoned.replace("Z", ""));
    assertThatThrownBy(() -> BarFiles.openSessions(folder, withSession(Session.US_STOCKS)))
        .hasMessageContaining("b.csv: expected times with an offset, as in " + file);

    Files.writeString(file, "date,close\n2024-03-04T00:00:00Z,1\n2024-03-05T00:00:00Z,2\n");
    assertThatThrownBy(() -> BarFiles.openSessions(file, withSession(Session.US_STOCKS)))
        .hasMessageContaining("expected dates without an offset, for daily bars");
  }

  private static ColumnMapping withSession(Session session) {
    return ColumnMapping.DEFAULT.withReading(
        new SessionBars.Reading(StatedSessions.of(session), BarLabel.START, null));
  }

  @Test
  void refusesWhatHoldsNoBars() throws IOException {
    Files.writeString(folder.resolve("t.csv"), "symbol,datetime,close\n");
    assertThatThrownBy(() -> open("t.csv"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("t.csv: expected at least one bar, was a table without rows");
    for (String part : new String[] {"calendars", "instruments", "features"}) {
      Files.createDirectories(folder.resolve("store").resolve(part));
    }
    Files.createFile(folder.resolve("store/calendars/5min.txt"));
    Files.createFile(folder.resolve("store/instruments/all.txt"));
    assertThatThrownBy(() -> open("store"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("store: expected bars of at least one instrument, was none");
  }

  @Test
  void namesWhatItCannotOpen() throws IOException {
    assertThatThrownBy(() -> open("none.csv"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("none.csv: expected a file or folder, was none");
    Files.createFile(folder.resolve("t.xlsx"));
    assertThatThrownBy(() -> open("t.xlsx"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a file of csv");
    Files.createFile(folder.resolve("t.parquet"));
    assertThatThrownBy(() -> open("t.parquet"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("tranche-parquet");
    Files.createDirectory(folder.resolve("empty"));
    assertThatThrownBy(() -> open("empty"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("a Qlib store or files of csv");
  }

  @Test
  void takesOnlyTheColumnsOfTheMapping() throws IOException {
    Path file =
        Files.writeString(folder.resolve("t.csv"), "who,when,Last,note\na,2021-03-01 09:30,1,x\n");
    var mapping =
        mapping(
            """
            instrument_column: who
            time_column: when
            frequency: 1min
            rename: {Last: close}
            columns: [Last]
            """);

    BarSource bars = BarFiles.open(file, mapping);

    assertThat(bars.fields()).containsExactly("close");
    assertThat(bars.instruments()).containsExactly("a");
    assertThat(bars.calendar().frequency()).isEqualTo(Frequency.MINUTE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sesion: x|m.yml:1: expected a key",
        "session: mars|m.yml:1: session: expected one of [",
        "frequency: 99999day|m.yml:1: frequency",
        "columns: close|m.yml:1: columns: expected a list",
        "{instrument: a, instrument_column: b}|expected either instrument or instrument_column",
      })
  void namesTheKeyOfABadMapping(String yaml, String message) {
    assertThatThrownBy(() -> mapping(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void opensTheBarWidthOfAStore() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.csv"), "datetime,close\n2021-03-01 09:30,1\n2021-03-01 09:31,2\n");
    Path store = folder.resolve("store");
    try (BarSource bars = BarFiles.open(file, ColumnMapping.DEFAULT);
        var writer = BarFiles.create(store)) {
      BarFiles.convert(bars, writer, (_, _) -> {});
    }

    BarSource bars = BarFiles.open(store, ColumnMapping.DEFAULT);

    assertThat(bars.calendar().frequency()).isEqualTo(Frequency.MINUTE);
    assertThatThrownBy(() -> BarFiles.open(store, mapping("frequency: 5min")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("only calendars of [1min]");
    Files.writeString(store.resolve("calendars/day.txt"), "2021-03-01\n");
    assertThatThrownBy(() -> BarFiles.open(store, ColumnMapping.DEFAULT))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("one bar width, or --frequency to choose one, was [1min, day]");
  }

  private static ColumnMapping mapping(String yaml) {
    return ColumnMapping.from(ConfigFiles.parse("m.yml", yaml));
  }

  @Test
  void convertsWithoutMissingBarsAndReportsProgress() throws IOException {
    Path from =
        Files.writeString(
            folder.resolve("in.csv"),
            """
            symbol,datetime,close,amount
            a,2021-03-01 09:30:00,1.25,16777217
            a,2021-03-01 09:32:00,2.5,
            b,2021-03-01 09:31:00,3.0,1
            b,2021-03-01 09:32:00,3.0,1
            """);
    Path to = folder.resolve("out.csv");
    var progress = new ArrayList<Integer>();

    BarFiles.Conversion done;
    try (BarSource source = BarFiles.openCounting(from, ColumnMapping.DEFAULT);
        var writer = BarFiles.create(to)) {
      done = BarFiles.convert(source, writer, (at, _) -> progress.add(at));
    }

    assertThat(done).isEqualTo(new BarFiles.Conversion(2, 4, 1));
    assertThat(progress).containsExactly(0, 1, 2);
    assertThat(to)
        .hasContent(
            """
            symbol,datetime,close,amount
            a,2021-03-01 09:30:00,1.25,1.6777216E7
            a,2021-03-01 09:32:00,2.5,
            b,2021-03-01 09:31:00,3.0,1.0
            b,2021-03-01 09:32:00,3.0,1.0
            """);
  }

  private BarSource open(String name) {
    return BarFiles.open(folder.resolve(name), ColumnMapping.DEFAULT);
  }
}
