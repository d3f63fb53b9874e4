package io.tranche.market.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.store.QlibStoreWriter.Existing;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QlibStoreWriterTest {

  private static final List<String> FIELDS = List.of("close", "volume");

  @TempDir Path folder;

  @Test
  void whatIsWrittenReadsBack() {
    Cases.forAll(
        Cases.count(30, 1_000),
        random -> {
          Calendar calendar =
              calendar(Frequency.ofMinutes(random.nextInt(1, 60)), random.nextInt(1, 5));
          var written = new ArrayList<BarSeries>();
          int count = random.nextInt(1, 4);
          for (int i = 0; i < count; i++) {
            written.add(series(random, "SH%06d".formatted(i), calendar));
          }
          Path target = folder.resolve("store" + random.nextLong());

          write(target, Existing.REFUSE, written);

          QlibStore store = QlibStore.open(target, calendar.frequency());
          assertThat(store.calendar()).isEqualTo(calendar);
          for (BarSeries series : written) {
            assertSame(series, store);
          }
        });
  }

  private static void assertSame(BarSeries series, QlibStore store) {
    if (span(series) == null) {
      assertThat(store.instruments("all")).doesNotContainKey(series.instrument());
      return;
    }
    BarSeries read = store.series(series.instrument());
    assertThat(store.instruments("all").get(series.instrument())).containsExactly(span(series));
    for (int row = 0; row < series.size(); row++) {
      int other = series.firstBar() + row - read.firstBar();
      for (int field = 0; field < FIELDS.size(); field++) {
        boolean inside = other >= 0 && other < read.size();
        float found = inside ? read.value(field, other) : Float.NaN;
        assertThat(found).isEqualTo(Float.valueOf(series.value(field, row)));
      }
    }
  }

  private static @Nullable Span span(BarSeries series) {
    int first = 0;
    int last = series.size() - 1;
    while (first <= last && series.isMissing(first)) {
      first++;
    }
    while (last >= first && series.isMissing(last)) {
      last--;
    }
    return first > last
        ? null
        : new Span(
            series.calendar().time(series.firstBar() + first),
            series.calendar().time(series.firstBar() + last));
  }

  @Test
  void writesTheBytesThatQlibReads() throws IOException {
    Calendar calendar = calendar(Frequency.ofMinutes(60), 2);
    float nan = Float.NaN;
    float[][] columns = {{nan, nan, 1.5f, 2, nan, 3, nan, nan}, {nan, 7, 8, 9, 1, 2, nan, nan}};

    write(
        folder.resolve("s"),
        Existing.REFUSE,
        List.of(BarSeries.wrap("SH1", calendar, 0, FIELDS, columns)));

    Path root = folder.resolve("s");
    assertThat(Files.readString(root.resolve("calendars/60min.txt")))
        .startsWith("2021-03-01 09:30:00\n2021-03-01 10:30:00\n");
    assertThat(Files.readString(root.resolve("instruments/all.txt")))
        .isEqualTo("SH1\t2021-03-01 10:30:00\t2021-03-02 10:30:00\n");
    assertThat(Files.readAllBytes(root.resolve("features/sh1/close.60min.bin")))
        .startsWith(0, 0, 0x80, 0x3f)
        .hasSize(4 * 6);
  }

  @Test
  void nothingIsSeenBeforeTheCommit() throws IOException {
    Path target = folder.resolve("s");
    BarSeries series = series(new SplittableRandom(1), "SH1", calendar(Frequency.MINUTE, 1));
    try (var writer = QlibStoreWriter.create(target, Existing.REFUSE)) {
      writer.write(series);

      assertThat(target).doesNotExist();
    }

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anUnfinishedStoreLeavesTheOldOneAsItIs() throws IOException {
    Path target = folder.resolve("s");
    write(target, "SH1", Frequency.MINUTE, Existing.REFUSE);
    Map<String, String> before = contents(target);
    for (Existing existing : List.of(Existing.REPLACE, Existing.MERGE)) {
      try (var writer = QlibStoreWriter.create(target, existing)) {
        writer.write(series(new SplittableRandom(2), "SH2", calendar(Frequency.MINUTE, 2)));

        assertThat(contents(target)).isEqualTo(before);
      }
    }

    assertThat(contents(target)).isEqualTo(before);
    assertThat(folder.toFile().list()).containsExactly("s");
  }

  @Test
  void whatAKilledWriterLeftBehindDisturbsNobody() throws IOException {
    Path target = folder.resolve("s");
    BarSeries series = series(new SplittableRandom(1), "SH1", calendar(Frequency.MINUTE, 1));
    QlibStoreWriter killed = QlibStoreWriter.create(target, Existing.REFUSE);
    killed.write(series);

    write(target, "SH2", Frequency.MINUTE, Existing.REFUSE);

    assertThat(QlibStore.open(target, Frequency.MINUTE).instruments()).containsExactly("SH2");
    assertThat(folder).isDirectoryContaining("glob:**/.s.new-*-0");
  }

  @Test
  void aTargetInUseIsRefused() throws IOException {
    Path target = folder.resolve("s");
    Files.createDirectories(target);
    write(target, "SH1", Frequency.MINUTE, Existing.REFUSE);

    assertThatThrownBy(() -> QlibStoreWriter.create(target, Existing.REFUSE))
        .isInstanceOf(DataException.class)
        .hasMessage(target + ": expected a new or empty folder, was a folder in use");
  }

  @Test
  void replacingLeavesNothingOfTheOld() throws IOException {
    Path target = folder.resolve("s");
    write(target, "SH1", Frequency.MINUTE, Existing.REFUSE);

    write(target, "SH2", Frequency.ofMinutes(5), Existing.REPLACE);

    assertThat(contents(target).keySet())
        .containsExactly(
            "calendars/5min.txt",
            "features/sh2/close.5min.bin",
            "features/sh2/volume.5min.bin",
            "instruments/all.txt");
    assertThat(folder.toFile().list()).containsExactly("s");
  }

  @Test
  void mergingKeepsOtherBarWidthsAndReplacesItsOwn() throws IOException {
    Path target = folder.resolve("s");
    write(target, "SH1", Frequency.MINUTE, Existing.MERGE);
    Files.writeString(target.resolve("instruments/csi300.txt"), "SH1\t2021-03-01\t2021-03-02\n");
    write(target, "SH2", Frequency.ofMinutes(5), Existing.MERGE);

    write(target, "SH1", Frequency.ofMinutes(5), Existing.MERGE);

    QlibStore minutes = QlibStore.open(target, Frequency.MINUTE);
    QlibStore fives = QlibStore.open(target, Frequency.ofMinutes(5));
    assertThat(minutes.instruments()).containsExactly("SH1");
    assertThat(fives.instruments()).containsExactly("SH1");
    assertThat(minutes.instruments("csi300")).containsOnlyKeys("SH1");
    assertThat(minutes.instruments("all")).containsOnlyKeys("SH1", "SH2");
    assertThat(minutes.instruments("all").get("SH1"))
        .containsExactly(
            new Span(BarTime.parse("2021-03-01 09:30"), BarTime.parse("2021-03-01 14:59")));
    assertThat(folder.toFile().list()).containsExactly("s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "a/b", "..", "", "a\tb", "a\u0000b", ".hidden"})
  void codesThatAreNoFileNamesAreRefused(String code) throws IOException {
    BarSeries series = series(new SplittableRandom(1), code, calendar(Frequency.MINUTE, 1));
    try (var writer = QlibStoreWriter.create(folder.resolve("s"), Existing.REFUSE)) {
      assertThatThrownBy(() -> writer.write(series)).isInstanceOf(DataException.class);
    }
  }

  @Test
  void fieldsThatAreNoFileNamesAreRefused() throws IOException {
    Calendar calendar = calendar(Frequency.ofMinutes(60), 1);
    float[][] columns = {{1, 2, 3, 4}};
    BarSeries series = BarSeries.wrap("A", calendar, 0, List.of("../close"), columns);
    try (var writer = QlibStoreWriter.create(folder.resolve("s"), Existing.REFUSE)) {
      assertThatThrownBy(() -> writer.write(series)).isInstanceOf(DataException.class);
    }
  }

  @Test
  void codesThatDifferOnlyInCaseAreRefused() throws IOException {
    Calendar calendar = calendar(Frequency.MINUTE, 1);
    var random = new SplittableRandom(1);
    try (var writer = QlibStoreWriter.create(folder.resolve("s"), Existing.REFUSE)) {
      writer.write(series(random, "sh1", calendar));

      assertThatThrownBy(() -> writer.write(series(random, "SH1", calendar)))
          .isInstanceOf(DataException.class)
          .hasMessage("instrument SH1: expected each code once, ignoring case, was twice");
      assertThatThrownBy(() -> writer.write(series(random, "SH2", calendar(Frequency.MINUTE, 2))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aRealStoreSurvivesTheRoundTrip() throws IOException {
    Path root = Shared.orSkip("qlib-run/data/bin");
    for (String width : List.of("1min", "5min", "day")) {
      QlibStore store = QlibStore.open(root, Frequency.parse(width));
      List<BarSeries> all = store.instruments().stream().map(store::series).toList();

      write(folder.resolve("copy"), Existing.MERGE, all);

      for (String code : store.instruments()) {
        for (String field : store.fields()) {
          String name =
              "features/%s/%s.%s.bin".formatted(code.toLowerCase(Locale.ROOT), field, width);
          assertThat(folder.resolve("copy").resolve(name))
              .hasSameBinaryContentAs(root.resolve(name));
        }
      }
      assertThat(folder.resolve("copy/calendars/" + width + ".txt"))
          .hasSameTextualContentAs(root.resolve("calendars/" + width + ".txt"));
    }
  }

  private static void write(Path target, String code, Frequency frequency, Existing existing) {
    float[][] columns = new float[2][Session.CHINA_STOCKS.barStarts(frequency).length];
    Arrays.stream(columns).forEach(column -> Arrays.fill(column, 1));
    BarSeries series = BarSeries.wrap(code, calendar(frequency, 1), 0, FIELDS, columns);
    write(target, existing, List.of(series));
  }

  private static void write(Path target, Existing existing, List<BarSeries> all) {
    try (var writer = QlibStoreWriter.create(target, existing)) {
      for (BarSeries series : all) {
        writer.write(series);
      }
      writer.commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Calendar calendar(Frequency frequency, int days) {
    int[] starts = Session.CHINA_STOCKS.barStarts(frequency);
    long[] times = new long[days * starts.length];
    for (int i = 0; i < times.length; i++) {
      times[i] =
          BarTime.parse("2021-03-01") + i / starts.length * 86_400L + starts[i % starts.length];
    }
    return Calendar.of(frequency, times);
  }

  private static BarSeries series(SplittableRandom random, String code, Calendar calendar) {
    int firstDay = random.nextInt(calendar.days());
    float[][] columns = new float[2][calendar.size() - calendar.dayStart(firstDay)];
    double missing = random.nextInt(3) * 0.5;
    for (float[] column : columns) {
      for (int i = 0; i < column.length; i++) {
        column[i] = random.nextDouble() < missing ? Float.NaN : (float) random.nextDouble(1, 9);
      }
    }
    return BarSeries.wrap(code, calendar, firstDay, FIELDS, columns);
  }

  private static Map<String, String> contents(Path root) throws IOException {
    var contents = new TreeMap<String, String>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        contents.put(root.relativize(file).toString(), Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return contents;
  }
}
