package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
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

class FeatureFilesTest {

  private static final Path PICKLES = Shared.root().resolve("market/src/test/resources/pickle");
  private static final LocalDate SECOND = LocalDate.of(2021, 3, 2);
  private static final FeatureColumns COLUMNS =
      new FeatureColumns(List.of("$volume0", "$close0"), List.of("$close0"));

  @TempDir Path folder;

  @BeforeEach
  void copyPickles() throws IOException {
    Files.createDirectories(folder.resolve("feature"));
    Files.createDirectories(folder.resolve("backtest"));
    Files.copy(
        PICKLES.resolve("pandas15_handler_feature_p4.pkl"), folder.resolve("feature/S1.pkl"));
    Files.copy(
        PICKLES.resolve("pandas15_handler_prices_p4.pkl"), folder.resolve("backtest/S1.pkl"));
  }

  @Test
  void takesBothDaysFromColumnsOfTheSameRows() {
    var source = FeatureFiles.open(folder, COLUMNS, false, 10);

    DayFeatures day = source.day("S1", SECOND);

    assertThat(day.ticks()).isEqualTo(4);
    assertThat(BarTime.format(day.time(1))).isEqualTo("2021-03-02 09:35:00");
    assertThat(day.today(0, 0)).isEqualTo(500);
    assertThat(day.today(0, 1)).isEqualTo(5);
    assertThat(day.yesterday(3, 0)).isEqualTo(8);
    assertThat(source.day("S1", SECOND)).isSameAs(day);
  }

  /// A run draws its orders from all stocks, so a file that is dropped is soon read again.
  @Test
  void readsEachOfManyFilesOnce() throws IOException {
    List<String> stocks = IntStream.rangeClosed(1, 40).mapToObj(i -> "T" + i).toList();
    for (String stock : stocks) {
      Files.writeString(file(stock), "datetime,$volume0,$close0\n2021-03-02 09:30:00,500,1\n");
    }
    var source = FeatureFiles.open(folder, COLUMNS, false, 1);
    stocks.forEach(stock -> source.day(stock, SECOND));
    for (String stock : stocks) {
      Files.delete(file(stock));
    }

    assertThat(stocks).allMatch(stock -> source.day(stock, SECOND).today(0, 0) == 500);
  }

  private Path file(String stock) {
    return folder.resolve("feature").resolve(stock + ".csv");
  }

  @Test
  void readsBacktestColumnsAndBareTimes() {
    var traded = new FeatureColumns(List.of("$volume0"), List.of());

    assertThat(FeatureFiles.open(folder, traded, true, 10).day("S1", SECOND).today(2, 0))
        .isEqualTo(700);
    DayFeatures bare = FeatureFiles.open(folder, FeatureColumns.NONE, false, 10).day("S1", SECOND);
    assertThat(bare.ticks()).isEqualTo(4);
    assertThat(bare.columns().today()).isEmpty();
  }

  @Test
  void sourcesOfOneFolderDoNotShareAnswers() {
    var other = new FeatureColumns(List.of("$close0"), List.of());

    DayFeatures first = FeatureFiles.open(folder, COLUMNS, false, 10).day("S1", SECOND);
    DayFeatures second = FeatureFiles.open(folder, other, false, 10).day("S1", SECOND);

    assertThat(first.columns()).isEqualTo(COLUMNS);
    assertThat(second.columns()).isEqualTo(other);
  }

  @Test
  void aDayWithoutRowsIsEmpty() {
    assertThat(
            FeatureFiles.open(folder, COLUMNS, false, 10)
                .day("S1", LocalDate.of(2021, 3, 3))
                .ticks())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"S2", "../backtest/S1", "", "S1/../S1"})
  void namesAStockWithoutFile(String stock) {
    assertThatThrownBy(() -> FeatureFiles.open(folder, COLUMNS, false, 10).day(stock, SECOND))
        .isInstanceOf(DataException.class)
        .hasMessageEndingWith("expected a file of the stock " + stock + ", was none");
  }

  @Test
  void namesAColumnThatIsNotThere() {
    var columns = new FeatureColumns(List.of("$nope"), List.of());

    assertThatThrownBy(() -> FeatureFiles.open(folder, columns, false, 10).day("S1", SECOND))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(
            "expected a column $nope of numbers, was [instrument, datetime, $close0");
  }
}
