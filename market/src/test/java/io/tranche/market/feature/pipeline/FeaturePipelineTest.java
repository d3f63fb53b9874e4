package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.Market;
import io.tranche.market.feature.pipeline.GroupStatistics.Deviation;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.testkit.DiskWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeaturePipelineTest {

  private static final LocalDate START = Market.FIRST.plusDays(5);
  private static final FeatureColumns PRICES =
      new FeatureColumns(List.of("$close", "$open"), List.of("$close_1"));

  @TempDir Path folder;

  @Test
  void writesFeaturesThatAreNormalisedInGroups() throws IOException {
    FeatureStore store = run(new Market(1), config(START), "out", 1);

    assertThat(store.instruments()).containsExactly("SH600000", "SH600001", "SH600002", "SZ000001");
    assertThat(store.dropped()).containsExactly("SH688001");
    assertThat(store.config()).isEqualTo(config(START));
    assertThat(store.featureExpressions().keySet())
        .containsExactly("$open", "$close", "$open_1", "$close_1", "$volume", "$volume_1");
    assertThat(store.backtestExpressions().keySet())
        .containsExactly("$close0", "$vwap0", "$volume0");
    double sum = 0;
    double squares = 0;
    int count = 0;
    var columns = new FeatureColumns(List.of("$open", "$close", "$open_1", "$close_1"), List.of());
    try (FeatureSource source = store.features(columns, 10)) {
      for (String code : store.instruments()) {
        for (int day = 0; day < store.calendar().days(); day++) {
          DayFeatures features = source.day(code, store.calendar().date(day));
          for (int tick = 0; tick < features.ticks(); tick++) {
            for (int column = 0; column < 4; column++) {
              sum += features.today(tick, column);
              squares += Math.pow(features.today(tick, column), 2);
              count++;
            }
          }
        }
      }
    }
    assertThat(sum / count).isBetween(-1e-4, 1e-4);
    assertThat(squares / count).isBetween(0.999, 1.001);
  }

  @Test
  void readsDaysOfFeaturesAndBacktestColumns() throws IOException {
    var market = new Market(1);
    FeatureStore store = run(market, config(START), "out", 1);
    FeatureSource features = store.features(PRICES, 10);
    FeatureSource backtest =
        store.backtest(new FeatureColumns(List.of("$close0", "$volume0"), List.of()), 10);

    DayFeatures day = features.day("SZ000001", START);
    DayFeatures traded = backtest.day("SZ000001", START);

    assertThat(day.ticks()).isEqualTo(Market.TICKS);
    assertThat(day.time(0)).isEqualTo(BarTime.of(START.atTime(9, 30)));
    assertThat(traded.today(0, 0)).isEqualTo(market.series("SZ000001").value(3, 5 * Market.TICKS));
    assertThat(features.day("SZ000001", START)).isSameAs(day);
    assertThat(features.day("SZ000001", Market.FIRST).ticks()).isZero();
    assertThatThrownBy(() -> features.day("SH688001", START)).isInstanceOf(DataException.class);
    assertThatThrownBy(() -> store.features(new FeatureColumns(List.of("$nope"), List.of()), 10))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a column of [$open, $close,")
        .hasMessageEndingWith("was $nope");
  }

  /// Counts passes over the bars, which a clock cannot do reliably.
  @Test
  void readsEachInstrumentOnceForFeaturesAndOnceForPrices() throws IOException {
    var read = new TreeMap<String, Integer>();
    var market = new Market(1);

    run(counted(market, read), config(START), "out", 1);

    assertThat(read.keySet()).containsExactlyElementsOf(market.instruments());
    assertThat(read.values()).allSatisfy(times -> assertThat(times).isLessThanOrEqualTo(2));
  }

  /// Counts calls to the disk, which cost more than the arithmetic.
  @Test
  void writesAndForcesEachFileAndFolderOnce() throws IOException {
    DiskWork work = DiskWork.of(folder, () -> run(new Market(1), config(START), "out", 1));

    List<String> finals = work.forced().stream().map(this::atTheEnd).toList();
    try (Stream<Path> made = Files.walk(folder.resolve("out"))) {
      assertThat(finals).containsAll(made.map(this::atTheEnd).toList());
    }
    // The folder of the two stores is forced for each of them and for both files beside them.
    assertThat(work.forced()).hasSizeLessThanOrEqualTo(new HashSet<>(finals).size() + 3);
    assertThat(work.written()).isNotEmpty().doesNotHaveDuplicates();
  }

  /// Returns where a file or folder is once the store is complete.
  private String atTheEnd(Path path) {
    return folder
        .relativize(path)
        .toString()
        .replace("out.partial/result", "out")
        .replaceAll("[.]([a-z.]+)[.]new-[-0-9]+([.]tmp)?", "$1");
  }

  private static BarSource counted(BarSource bars, Map<String, Integer> read) {
    return new BarSource() {
      @Override
      public Calendar calendar() {
        return bars.calendar();
      }

      @Override
      public List<String> instruments() {
        return bars.instruments();
      }

      @Override
      public List<String> fields() {
        return bars.fields();
      }

      @Override
      public BarSeries series(String instrument) {
        read.merge(instrument, 1, Integer::sum);
        return bars.series(instrument);
      }
    };
  }

  @Test
  void aStoreOnDiskAndBarsInMemoryGiveTheSameBytes() throws IOException {
    var market = new Market(2);
    Path bars = folder.resolve("bars");
    try (var writer = QlibStoreWriter.create(bars, QlibStoreWriter.Existing.REFUSE)) {
      for (String code : market.instruments()) {
        writer.write(market.series(code));
      }
      writer.commit();
    }

    run(market, config(START), "memory", 1);
    try (var store = QlibStore.open(bars, market.calendar().frequency())) {
      run(store, config(START), "disk", 2);
    }

    assertThat(bytes("disk")).isEqualTo(bytes("memory"));
  }

  @Test
  void anyNumberOfThreadsGivesTheSameBytes() throws IOException {
    for (int threads : new int[] {1, 2, 7}) {
      run(new Market(3), config(START), "out" + threads, threads);
    }

    assertThat(bytes("out2")).isEqualTo(bytes("out1"));
    assertThat(bytes("out7")).isEqualTo(bytes("out1"));
  }

  @ParameterizedTest
  @CsvSource({"raw features, 2", "raw features, 5", "statistics, 1", "feature store, 3"})
  void aKilledRunGoesOnWhereItWasAndEndsInTheSameBytes(String stage, int after) throws IOException {
    run(new Market(4), config(START), "straight", 1);
    FeatureProgress kill =
        (at, done, _) -> {
          if (at.equals(stage) && done == after) {
            throw new Killed();
          }
        };
    assertThatThrownBy(
            () ->
                FeaturePipeline.run(
                    new Market(4), config(START), folder.resolve("resumed"), 1, kill))
        .isInstanceOf(Killed.class);
    assertThat(folder.resolve("resumed")).doesNotExist();

    var market = new Market(4);
    run(market, config(START), "resumed", 1);

    int staged = stage.equals("raw features") ? after : 5;
    assertThat(market.asked)
        .hasSize(2 * 5 - staged); // bars are read once more where columns are made
    assertThat(bytes("resumed")).isEqualTo(bytes("straight"));
    assertThat(folder.resolve("resumed.partial")).doesNotExist();
  }

  @Test
  void aKilledRunForgetsWhatNoLongerHolds() throws IOException {
    var changed = new Market(5);
    changed.touch("SH600000");
    run(changed, config(START), "straight", 1);
    stopBeforeTheStore("bars", config(START));
    stopBeforeTheStore("settings", config(START.plusDays(1)));
    stopBeforeTheStore("damage", config(START));
    Path staged = folder.resolve("damage.partial/staging/SZ000001.raw");
    byte[] damaged = Files.readAllBytes(staged);
    damaged[100] ^= 1;
    Files.write(staged, damaged);

    for (String name : List.of("bars", "settings", "damage")) {
      run(changed, config(START), name, 2);

      assertThat(bytes(name)).as(name).isEqualTo(bytes("straight"));
    }
  }

  @Test
  void aFinishedStoreIsLeftAloneAndRefusesOtherBarsAndSettings() throws IOException {
    var market = new Market(6);
    run(market, config(START), "out", 1);
    Map<String, String> before = bytes("out");
    var heard = new ArrayList<String>();

    FeaturePipeline.run(
        market, config(START), folder.resolve("out"), 1, (stage, _, _) -> heard.add(stage));
    assertThat(heard).isEmpty();
    assertThatThrownBy(() -> run(market, config(START.plusDays(1)), "out", 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "was start: \"2024-01-07 00:00:00\" (there: \"2024-01-06 00:00:00\"); fit_start:");
    market.touch("SH600000");
    assertThatThrownBy(() -> run(market, config(START), "out", 1))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("features of the same bars");
    assertThat(bytes("out")).isEqualTo(before);
  }

  @Test
  void namesWhatIsDamagedInAStore() throws IOException {
    FeatureStore store = run(new Market(9), config(START), "out", 1);
    Path column = folder.resolve("out/feature/features/sz000001/open.5min.bin");
    Files.delete(column);

    assertThatThrownBy(() -> store.features(PRICES, 10).day("SZ000001", START))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("SZ000001 on 2024-01-06: expected values of $open, was none");
    Files.write(column, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> store.features(PRICES, 10).day("SZ000001", START))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("open.5min.bin");
    Files.writeString(folder.resolve("out/features.yml"), "format: 7");
    assertThatThrownBy(() -> FeatureStore.open(folder.resolve("out")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected format 1, was 7");
    Files.delete(folder.resolve("out/features.yml"));
    assertThatThrownBy(() -> FeatureStore.open(folder.resolve("out")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a feature store with features.yml, was none");
  }

  @Test
  void saysWhyNoInstrumentIsLeft() {
    assertThatThrownBy(() -> run(new Market(7), config(Market.FIRST.plusDays(1)), "out", 1))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "features from 2024-01-02 09:30:00 to 2024-01-11 10:05:00: expected instruments with"
                + " bars for all that time and for 16 bars (2 x day_length) before it, was features"
                + " from 2024-01-03 09:30:00 to 2024-01-11 10:05:00 at best, as the source begins"
                + " at 2024-01-01 09:30:00, 8 bars before");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void refusesWindowsAndFieldsThatTheBarsDoNotHave() {
    var late =
        config(LocalDate.of(2030, 1, 1), LocalDate.of(2030, 2, 1), List.of("$open", "$close"));
    var unknown = config(START, Market.FIRST.plusDays(10), List.of("$open", "$bid"));

    assertThatThrownBy(() -> run(new Market(8), late, "out", 1))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected bars of the source within them, was Calendar[5min");
    assertThatThrownBy(() -> run(new Market(8), unknown, "out", 1))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected bars with the fields [open, bid, close, volume, vwap]");
    var named = config(START).withInstruments(List.of("SH600000", "SH6OOOOO"));
    assertThatThrownBy(() -> run(new Market(8), named, "out", 1))
        .isInstanceOf(ConfigException.class)
        .hasMessage("instruments: expected codes that the source has, was [SH6OOOOO]");
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// Leaves all instruments of an unchanged market staged, and no more.
  private void stopBeforeTheStore(String name, FeatureConfig config) {
    FeatureProgress kill =
        (stage, _, _) -> {
          if (stage.equals("statistics")) {
            throw new Killed();
          }
        };
    assertThatThrownBy(
            () -> FeaturePipeline.run(new Market(5), config, folder.resolve(name), 1, kill))
        .isInstanceOf(Killed.class);
  }

  private FeatureStore run(BarSource source, FeatureConfig config, String name, int threads)
      throws IOException {
    return FeaturePipeline.run(source, config, folder.resolve(name), threads, FeatureProgress.NONE);
  }

  private static FeatureConfig config(LocalDate start) {
    return config(start, Market.FIRST.plusDays(10), List.of("$open", "$close"));
  }

  private static FeatureConfig config(LocalDate start, LocalDate end, List<String> prices) {
    var groups = new LinkedHashMap<String, Integer>();
    groups.put("price", 4);
    groups.put("volume", 2);
    long last = BarTime.of(end.plusDays(1)) - 1;
    return FeatureConfig.qlib(BarTime.of(start), last, Market.TICKS, prices, groups)
        .withDeviation(Deviation.STANDARD)
        .withBacktestVwap(true);
  }

  private Map<String, String> bytes(String name) throws IOException {
    Path root = folder.resolve(name);
    var bytes = new TreeMap<String, String>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        bytes.put(
            root.relativize(path).toString(), HexFormat.of().formatHex(Files.readAllBytes(path)));
      }
    }
    return bytes;
  }
}
