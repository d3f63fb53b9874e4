package io.tranche.market.feature;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StyledPicklesTest {

  private static final LocalDate DAY = LocalDate.of(2021, 3, 2);
  private static final Path PICKLES = Shared.root().resolve("market/src/test/resources/pickle");

  @TempDir Path folder;

  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectories(folder.resolve("processed"));
    Files.createDirectories(folder.resolve("backtest"));
    copy("pandas15_backtest_p4.pkl", "backtest/S1.pkl.backtest");
  }

  @Test
  void readsADayWithTheTimesOfItsPrices() throws IOException {
    copy("pandas15_processed_p4.pkl", "processed/S1.pkl");
    FeatureSource source = source(5);

    DayFeatures day = source.day("S1", DAY);

    assertThat(source.columns().today())
        .containsExactly("$high", "$low", "$open", "$close", "$volume");
    assertThat(day.ticks()).isEqualTo(4);
    assertThat(BarTime.format(day.time(1))).isEqualTo("2021-03-02 09:35:00");
    assertThat(day.today(0, 0)).isEqualTo(43);
    assertThat(day.yesterday(0, 0)).isEqualTo(42);
    assertThat(source.day("S1", DAY)).isSameAs(day);
  }

  /// A run draws its orders from all stocks, so a file that is dropped is soon read again.
  @Test
  void readsEachOfManyFilesOnce() throws IOException {
    List<String> stocks = IntStream.range(10, 50).mapToObj(Integer::toString).toList();
    for (String stock : stocks) {
      copyAs(stock, "pandas15_processed_p4.pkl", processed(stock));
      copyAs(stock, "pandas15_backtest_p4.pkl", folder.resolve("backtest/" + stock + ".pkl"));
    }
    FeatureSource source = source(5, 1);
    stocks.forEach(stock -> source.day(stock, DAY));
    for (String stock : stocks) {
      Files.delete(processed(stock));
    }

    assertThat(stocks).allMatch(stock -> source.day(stock, DAY).today(0, 0) == 43);
  }

  private Path processed(String stock) {
    return folder.resolve("processed").resolve(stock + ".pkl");
  }

  /// Copies a file of the stock S1 for a stock with a name as long.
  private static void copyAs(String stock, String from, Path to) throws IOException {
    String bytes = Files.readString(PICKLES.resolve(from), ISO_8859_1);
    Files.writeString(to, bytes.replace("S1", stock), ISO_8859_1);
  }

  @Test
  void readsTheLegacyFormatWithoutTimes() throws IOException {
    copy("pandas15_legacy_p4.pkl", "processed/S1.pkl");

    DayFeatures day = source(5).day("S1", DAY);

    assertThat(day.ticks()).isEqualTo(4);
    assertThat(day.today(0, 0)).isEqualTo(5);
    assertThat(day.today(1, 2)).isEqualTo(47 / 8f);
  }

  @Test
  void namesWhatIsMissing() throws IOException {
    assertThatThrownBy(() -> source(5).day("S1", DAY))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("one of S1.pkl and S1.pkl.backtest, was neither");
    copy("pandas15_processed_p4.pkl", "processed/S1.pkl");
    assertThatThrownBy(() -> source(5).day("S1", DAY.plusDays(1)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("rows of S1 on 2021-03-03, was none");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7})
  void refusesOtherDimensions(int dimension) {
    assertThatThrownBy(() -> source(dimension)).isInstanceOf(ConfigException.class);
  }

  private FeatureSource source(int dimension) {
    return source(dimension, 10);
  }

  private FeatureSource source(int dimension, int cachedDays) {
    return StyledPickles.open(
        folder.resolve("processed"), folder.resolve("backtest"), dimension, cachedDays);
  }

  private void copy(String from, String to) throws IOException {
    Files.copy(PICKLES.resolve(from), folder.resolve(to));
  }
}
