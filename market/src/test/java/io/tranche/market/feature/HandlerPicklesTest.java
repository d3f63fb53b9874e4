package io.tranche.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerPicklesTest {

  private static final Path FOLDER =
      Shared.root().resolve("market/src/test/resources/handler_pickle");
  private static final LocalDate SECOND = LocalDate.of(2021, 3, 2);
  private static final FeatureColumns COLUMNS =
      new FeatureColumns(List.of("$close", "$open"), List.of("$volume_1"));

  @Test
  void takesBothDaysFromColumnsOfTheSameRows() {
    var source = HandlerPickles.open(FOLDER, COLUMNS, false, 10);

    DayFeatures day = source.day("S1", SECOND);

    // The file counts 0, 1, 2 ... along rows of $open, $close, $open_1, $close_1, $volume,
    // $volume_1, three rows a day.
    assertThat(day.ticks()).isEqualTo(3);
    assertThat(BarTime.format(day.time(2))).isEqualTo("2021-03-02 09:40:00");
    assertThat(day.today(0, 0)).isEqualTo(19);
    assertThat(day.today(0, 1)).isEqualTo(18);
    assertThat(day.yesterday(2, 0)).isEqualTo(35);
    assertThat(source.day("S1", SECOND)).isSameAs(day);
  }

  @Test
  void readsBacktestColumnsAndBareTimes() {
    var traded = new FeatureColumns(List.of("$volume0"), List.of());

    assertThat(HandlerPickles.open(FOLDER, traded, true, 10).day("S1", SECOND).today(2, 0))
        .isEqualTo(11);
    DayFeatures bare =
        HandlerPickles.open(FOLDER, FeatureColumns.NONE, false, 10).day("S1", SECOND);
    assertThat(bare.ticks()).isEqualTo(3);
    assertThat(bare.columns().today()).isEmpty();
  }

  @Test
  void sourcesOfOneFolderDoNotShareAnswers() {
    var other = new FeatureColumns(List.of("$open"), List.of());

    DayFeatures first = HandlerPickles.open(FOLDER, COLUMNS, false, 10).day("S1", SECOND);
    DayFeatures second = HandlerPickles.open(FOLDER, other, false, 10).day("S1", SECOND);

    assertThat(first.columns()).isEqualTo(COLUMNS);
    assertThat(second.columns()).isEqualTo(other);
  }

  @Test
  void aDayWithoutRowsIsEmpty() {
    assertThat(
            HandlerPickles.open(FOLDER, COLUMNS, false, 10)
                .day("S1", LocalDate.of(2021, 3, 3))
                .ticks())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"S2", "../backtest/S1", "", "S1/../S1"})
  void namesAStockWithoutFile(String stock) {
    assertThatThrownBy(() -> HandlerPickles.open(FOLDER, COLUMNS, false, 10).day(stock, SECOND))
        .isInstanceOf(DataException.class)
        .hasMessageEndingWith("expected a file of the stock " + stock + ", was none");
  }

  @Test
  void namesAColumnThatIsNotThere() {
    var columns = new FeatureColumns(List.of("$nope"), List.of());

    assertThatThrownBy(() -> HandlerPickles.open(FOLDER, columns, false, 10).day("S1", SECOND))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(
            "expected a column $nope of float32, was [instrument, datetime, $open");
  }
}
