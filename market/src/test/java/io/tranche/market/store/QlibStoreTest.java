package io.tranche.market.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QlibStoreTest {

  private static final Frequency HALF_HOUR = Frequency.ofMinutes(30);

  @TempDir Path folder;
  private StoreFiles files;

  @BeforeEach
  void twoDaysOfFourBars() throws IOException {
    files = new StoreFiles(folder, "30min");
    files.calendar(
        """
        2021-03-01 09:30:00
        2021-03-01 10:00
        2021-03-01 13:00:00
        2021-03-01 13:30:00

        2021-03-02 09:30:00
        2021-03-02 10:00:00
        2021-03-02 13:00:00
        2021-03-02 13:30:00
        """);
    files.instruments(
        """
        SH600000\t2021-03-01\t2021-03-01 13:30:00
        SH600000\t2021-03-02 10:00:00\t2021-03-05
        NONE\t2021-03-01\t2021-03-02
        sz000001\t2021-03-02\t2021-03-09
        """);
    files.bin("SH600000", "close", 1, 1, 2, 3, 4, 5, 6);
    files.bin("SH600000", "volume", 0, 10, 20, 30, 40, 50, 60, 70, 80);
    files.bin("sz000001", "close", 5, 7, 8, 9);
  }

  private QlibStore open() {
    return QlibStore.open(folder, HALF_HOUR);
  }

  @Test
  void listsWhatHasData() {
    QlibStore store = open();

    assertThat(store.instruments()).containsExactly("SH600000", "sz000001");
    assertThat(store.fields()).containsExactly("close", "volume");
    assertThat(store.calendar().size()).isEqualTo(8);
    assertThat(store.calendar().days()).isEqualTo(2);
  }

  @Test
  void aCalendarInTheCommonFormIsReadAsInAnyOther() throws IOException {
    Calendar odd = open().calendar();
    files.calendar(
        """
        2021-03-01 09:30:00
        2021-03-01 10:00:00
        2021-03-01 13:00:00
        2021-03-01 13:30:00
        2021-03-02 09:30:00
        2021-03-02 10:00:00
        2021-03-02 13:00:00
        2021-03-02 13:30:00
        """);

    assertThat(open().calendar()).isEqualTo(odd);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2021-02-30 09:30:00", "2021-03-01 24:00:00", "2021-03-01 09:60:00", "2021-03-01 09:30:60",
        "2021-03-01 0:930:00", "2021-03-01_09:30:00", "20210-3-01 09:30:00", "2021-03-01 09:3x:00"
      })
  void namesTheLineThatIsNoTime(String line) throws IOException {
    Path calendar = files.calendar("2021-03-01 09:00:00\n" + line + "\n");

    assertThatThrownBy(this::open)
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith(calendar + ":2: expected a time such as");
  }

  @Test
  void seriesCoverWholeDaysWithMissingFieldsAsNaN() {
    BarSeries late = open().series("sz000001");

    assertThat(late.firstDay()).isEqualTo(1);
    assertThat(late.size()).isEqualTo(4);
    assertThat(column(late, 0)).containsExactly(Float.NaN, 7, 8, 9);
    assertThat(column(late, 1)).containsOnly(Float.NaN);
    assertThat(column(open().series("SH600000"), 0))
        .containsExactly(Float.NaN, 1, 2, 3, 4, 5, 6, Float.NaN);
    assertThat(open().day("SH600000", LocalDate.of(2021, 3, 2))).isNotNull();
  }

  @Test
  void aFieldIsFoundInAnyCase() {
    FeatureRows rows =
        open().query(List.of("$CLOSE"), Long.MIN_VALUE, Long.MAX_VALUE).rows("sh600000");

    assertThat(rows.size()).isEqualTo(6);
    assertThat(rows.index(0)).isEqualTo(1);
  }

  @Test
  void rowsAreTheOuterJoinOfTheColumns() {
    List<FeatureRows> found =
        open()
            .features(
                List.of("sz000001", "NONE", "SH600000"),
                List.of("$close", "$volume", "Select($volume>35, $volume)"),
                BarTime.parse("2021-03-01 10:30"),
                BarTime.parse("2021-03-02 10:59"));

    assertThat(found).extracting(FeatureRows::instrument).containsExactly("SH600000", "sz000001");
    FeatureRows rows = found.getFirst();
    assertThat(rows.size()).isEqualTo(4);
    assertThat(BarTime.format(rows.time(0))).isEqualTo("2021-03-01 13:00:00");
    assertThat(rows.value(0, 0)).isEqualTo(2);
    assertThat(rows.value(2, 0)).isNaN();
    assertThat(rows.value(2, 1)).isEqualTo(40);
    assertThat(found.getLast().size()).isEqualTo(1);
  }

  @Test
  void selectedRowsLeaveTheOthersOut() {
    FeatureRows rows =
        open()
            .query(List.of("Select(($volume==20)|($volume==70), $volume)"), 0, Long.MAX_VALUE)
            .rows("SH600000");

    assertThat(rows.size()).isEqualTo(2);
    assertThat(rows.index(0)).isEqualTo(1);
    assertThat(rows.index(1)).isEqualTo(6);
    assertThat(rows.value(0, 1)).isEqualTo(70);
  }

  @Test
  void spansLeaveOutWhatIsNotListed() {
    QlibStore store = open();

    FeatureRows rows =
        store
            .query(List.of("$volume"), 0, Long.MAX_VALUE)
            .rows("SH600000", store.instruments("all").firstEntry().getValue());

    assertThat(rows.size()).isEqualTo(7);
    assertThat(rows.index(4)).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "2021-02-01, 2021-02-02",
    "2022-01-01, 2022-01-02",
    "2021-03-01 11:00, 2021-03-01 12:00"
  })
  void rangesWithoutBarsGiveNoRows(String start, String end) {
    List<FeatureRows> found =
        open()
            .features(
                List.of("SH600000"),
                List.of("$close", "Mean($close, 2)"),
                BarTime.parse(start),
                BarTime.parse(end));

    assertThat(found).isEmpty();
  }

  @Test
  void aDateAloneEndsAtItsMidnight() {
    FeatureRows rows =
        open()
            .query(List.of("$volume"), BarTime.parse("2021-03-01"), BarTime.parse("2021-03-02"))
            .rows("SH600000");

    assertThat(rows.size()).isEqualTo(4);
  }

  @Test
  void instrumentsKeepTheirSpansAndAreCutToARange() {
    QlibStore store = open();

    assertThat(store.instruments("all").keySet()).containsExactly("SH600000", "NONE", "sz000001");
    assertThat(store.instruments("all").get("SH600000")).hasSize(2);
    assertThat(store.instruments("all", BarTime.parse("2021-03-03"), BarTime.parse("2021-03-07")))
        .containsOnlyKeys("SH600000", "sz000001")
        .containsEntry(
            "sz000001",
            List.of(new Span(BarTime.parse("2021-03-03"), BarTime.parse("2021-03-07"))));
  }

  @Test
  void coarserCalendarsFollowFromTheNearestFinerOne() {
    Calendar hours = open().calendar(Frequency.ofMinutes(60), false);
    Calendar days = open().calendar(Frequency.DAY, false);

    assertThat(hours.size()).isEqualTo(4);
    assertThat(BarTime.format(hours.time(1))).isEqualTo("2021-03-01 13:00:00");
    assertThat(days.size()).isEqualTo(2);
    assertThat(BarTime.format(days.time(1))).isEqualTo("2021-03-02 00:00:00");
    assertThatThrownBy(() -> open().calendar(Frequency.MINUTE, false))
        .isInstanceOf(DataException.class)
        .hasMessage(
            folder.resolve("calendars") + ": expected a calendar of 1min or finer, was [30min]");
  }

  @Test
  void stepsFollowTheClockOfTheRegion() throws IOException {
    Files.writeString(
        folder.resolve("calendars/15min.txt"),
        "2021-03-01 09:00:00\n2021-03-01 10:15:00\n2021-03-01 11:45:00\n");
    QlibStore store = QlibStore.open(folder, Frequency.ofMinutes(15));
    Calendar taiwan = store.in(QlibRegion.TW).calendar(Frequency.ofMinutes(25), false);

    assertThat(Arrays.stream(taiwan.times(0, taiwan.size())).mapToObj(BarTime::format))
        .containsExactly("2021-03-01 09:00:00", "2021-03-01 10:15:00", "2021-03-01 11:30:00");
    assertThatThrownBy(() -> store.in(QlibRegion.US).calendar(Frequency.ofMinutes(25), false))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected times from 09:30 on, when region us opens, to be")
        .hasMessageContaining("2021-03-01 09:00:00");
    Files.writeString(
        folder.resolve("calendars/15min.txt"), "2021-03-01 09:30:00\n2021-03-01 11:45:00\n");
    QlibStore later = QlibStore.open(folder, Frequency.ofMinutes(15));
    assertThat(last(later.in(QlibRegion.US).calendar(Frequency.ofMinutes(20), false)))
        .isEqualTo("2021-03-01 11:30:00");
    assertThat(last(later.calendar(Frequency.ofMinutes(20), false)))
        .isEqualTo("2021-03-01 11:10:00");
  }

  private static String last(Calendar calendar) {
    return BarTime.format(calendar.time(calendar.size() - 1));
  }

  @Test
  void theFutureCalendarIsPreferredWhereItExists() throws IOException {
    assertThat(open().calendar(HALF_HOUR, true).size()).isEqualTo(8);

    Files.writeString(folder.resolve("calendars/30min_future.txt"), "2021-03-01 09:30:00\n");

    assertThat(open().calendar(HALF_HOUR, true).size()).isEqualTo(1);
    assertThat(open().calendar(HALF_HOUR, false).size()).isEqualTo(8);
  }

  @Test
  void missingPathsAreNamed() {
    assertThatThrownBy(() -> QlibStore.open(folder.resolve("no"), HALF_HOUR))
        .isInstanceOf(DataException.class)
        .hasMessage(
            folder.resolve("no") + ": expected the folder of a Qlib store, was no such folder");
    assertThatThrownBy(() -> QlibStore.open(folder, Frequency.MINUTE))
        .isInstanceOf(DataException.class)
        .hasMessage(
            folder.resolve("calendars/1min.txt")
                + ": expected the calendar of 1min, was no such file, only calendars of [30min]");
    assertThatThrownBy(() -> open().instruments("csi300"))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith(folder.resolve("instruments/csi300.txt") + ": expected instruments")
        .hasMessageEndingWith("was no such file");
    assertThatThrownBy(() -> open().series("SH999999"))
        .isInstanceOf(DataException.class)
        .hasMessage(
            folder.resolve("features/sh999999")
                + ": expected bars of SH999999, 30min, was no such folder");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "a/b", "..", "", " ", "a\u0000b", "a\\b", ".a"})
  void codesThatAreNoFileNamesAreRefused(String code) {
    assertThatThrownBy(() -> open().series(code)).isInstanceOf(DataException.class);
    assertThatThrownBy(() -> open().instruments(code)).isInstanceOf(DataException.class);
  }

  @Test
  void deviceNamesHaveAPrefix() throws IOException {
    files.bin("_qlib_con", "close", 0, 1, 2, 3, 4);

    assertThat(open().series("CON").size()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "2021-03-01 09:30:00,2021-03-01 09:30:00 # :2: expected a time after 2021-03-01 09:30:00, was 2021-03-01 09:30:00",
        "2021-03-02,2021-03-01 # :2: expected a time after 2021-03-02 00:00:00, was 2021-03-01",
        "2021-03-02,,tomorrow # :3: expected a time such as 2021-03-01 09:30:00, was 'tomorrow'"
      })
  void damagedCalendarsAreRefusedWithTheirLine(String lines, String message) throws IOException {
    Path calendar = files.calendar(lines.replace(',', '\n'));

    assertThatThrownBy(this::open).isInstanceOf(DataException.class).hasMessage(calendar + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "SH1|2021-03-01 # :1: expected code, start and end separated by tabs, was 'SH1|2021-03-01'",
        "SH1|2021-03-02|2021-03-01 # :1: expected an end not before 2021-03-02, was 2021-03-01",
        "SH1|x|2021-03-01 # :1: expected a time such as 2021-03-01 09:30:00, was 'x'"
      })
  void damagedInstrumentsAreRefusedWithTheirLine(String line, String message) throws IOException {
    Path file = files.instruments(line.replace('|', '\t'));

    assertThatThrownBy(() -> open().instruments("all"))
        .isInstanceOf(DataException.class)
        .hasMessage(file + message.replace('|', '\t'));
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, -1, 9, 1.5f, 0x1p31f, Float.POSITIVE_INFINITY, 0x1p-30f})
  void headersThatAreNoIndexAreRefused(float header) throws IOException {
    Path file = files.bin("SH600000", "close", header, 1, 2);

    assertThatThrownBy(() -> open().series("SH600000"))
        .isInstanceOf(DataException.class)
        .hasMessage(file + ":offset 0: expected an index of the calendar's 8 bars, was " + header);
  }

  @Test
  void valuesBeyondTheCalendarAreRefused() throws IOException {
    Path file = files.bin("SH600000", "close", 6, 1, 2, 3);

    assertThatThrownBy(() -> open().series("SH600000"))
        .isInstanceOf(DataException.class)
        .hasMessage(
            file
                + ":offset 12: expected the end, as the calendar has 8 bars, was 3 values from bar 6 on");
  }

  @Test
  void filesCutAtAnyLengthAreRefusedOrShorter() throws IOException {
    byte[] whole = Files.readAllBytes(folder.resolve("features/sh600000/volume.30min.bin"));

    for (int length = 0; length < whole.length; length++) {
      Path file = files.bin("SH600000", "volume", Arrays.copyOf(whole, length));
      if (length >= 4 && length % 4 == 0) {
        assertThat(open().series("SH600000").size()).isEqualTo(8);
      } else {
        String message =
            "%s:offset %d: expected whole numbers of 4 bytes, at least one, was %d bytes"
                .formatted(file, length / 4 * 4, length);
        assertThatThrownBy(() -> open().series("SH600000"))
            .isInstanceOf(DataException.class)
            .hasMessage(message);
      }
    }
  }

  @Test
  void aFolderInPlaceOfAFileIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("features/sz000001/volume.30min.bin"));

    assertThatThrownBy(() -> open().series("sz000001")).isInstanceOf(DataException.class);
  }

  @Test
  void readsWhatARealPipelineWrote() {
    Path root = Shared.orSkip("qlib-run/data/bin");
    for (String width : List.of("1min", "5min", "day")) {
      QlibStore store = QlibStore.open(root, Frequency.parse(width));

      assertThat(store.instruments()).hasSize(4);
      assertThat(store.instruments("all").size()).isGreaterThan(4);
      assertThat(store.fields()).contains("open", "close", "volume", "factor", "limit_buy");
      for (String code : store.instruments()) {
        BarSeries series = store.series(code);
        assertThat(series.size()).isEqualTo(store.calendar().size());
        assertThat(series.value(series.fieldIndex("close"), 0)).isPositive();
      }
      assertThat(store.calendar(Frequency.DAY, true).size()).isEqualTo(store.calendar().days());
    }
  }

  private static float[] column(BarSeries series, int field) {
    float[] values = new float[series.size()];
    series.copy(field, 0, values, 0, values.length);
    return values;
  }
}
