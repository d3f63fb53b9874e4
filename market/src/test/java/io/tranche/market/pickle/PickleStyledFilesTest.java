package io.tranche.market.pickle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PickleStyledFilesTest {

  private static final LocalDate DAY = LocalDate.of(2021, 3, 2);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"pandas15", "pandas2", "pandas3", "pandas3arrow"})
  void readsTheBacktestPricesOfADay(String writer) throws IOException {
    copy(writer + "_backtest_p4.pkl", "S1.pkl.backtest");

    BacktestPrices prices = BacktestPrices.read(folder, "S1", DAY);

    assertThat(prices.ticks()).isEqualTo(4);
    assertThat(BarTime.format(prices.time(1))).isEqualTo("2021-03-02 09:35:00");
    assertThat(prices.dealPrices(DealPrice.CLOSE, null)).containsExactly(5, 6, 7, 8);
    assertThat(prices.dealPrices(DealPrice.BID_OR_ASK, Side.SELL))
        .containsExactly(4.5, 5.5, 6.5, 7.5);
    assertThat(prices.dealPrices(DealPrice.BID_OR_ASK, Side.BUY))
        .containsExactly(5.5, 6.5, 7.5, 8.5);
    assertThat(prices.volumes()).containsExactly(500, 600, 700, 800);
    assertThatThrownBy(() -> BacktestPrices.read(folder, "S1", DAY.plusDays(1)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("rows of S1 on 2021-03-03");
    assertThatThrownBy(() -> prices.dealPrices(DealPrice.BID_OR_ASK, null))
        .isInstanceOf(ConfigException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pandas15", "pandas2", "pandas3", "pandas3arrow"})
  void readsFeaturesInBothFormats(String writer) throws IOException {
    copy(writer + "_processed_p5.pkl", "S1.pkl");

    ProcessedDay day = ProcessedDay.read(folder, "S1", DAY, 5, 4);

    // Columns of the file: volume_1, volume, high_1, high, close_1, close, low_1, low, ...
    assertThat(day.names()).containsExactly("$high", "$low", "$open", "$close", "$volume");
    assertThat(day.today(0, 0)).isEqualTo(43);
    assertThat(day.yesterday(0, 0)).isEqualTo(42);
    assertThat(day.today(3, 4)).isEqualTo(71);
    assertThatThrownBy(() -> ProcessedDay.read(folder, "S1", DAY, 5, 3))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("3 ticks of 10 columns on 2021-03-02, was 4 of 10");

    copy(writer + "_legacy_p4.pkl", "S1.pkl");
    ProcessedDay legacy = ProcessedDay.read(folder, "S1", DAY, 5, 4);

    assertThat(legacy.ticks()).isEqualTo(4);
    assertThat(legacy.today(0, 0)).isEqualTo(5);
    assertThat(legacy.today(1, 2)).isEqualTo(47 / 8.0);
    assertThat(legacy.yesterday(3, 4)).isEqualTo(79 / 8.0);
    assertThatThrownBy(() -> ProcessedDay.read(folder, "S1", DAY, 6, 4))
        .isInstanceOf(DataException.class);
  }

  @Test
  void wantsExactlyOneFileAStock() throws IOException {
    assertThatThrownBy(() -> PickleStyledFiles.find(folder, "S1"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("was neither");

    copy("pandas2_backtest_p4.pkl", "S1.pkl");
    assertThat(PickleStyledFiles.find(folder, "S1")).isEqualTo(folder.resolve("S1.pkl"));

    copy("pandas2_backtest_p4.pkl", "S1.pkl.backtest");
    assertThatThrownBy(() -> PickleStyledFiles.find(folder, "S1"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("was both");
  }

  private void copy(String from, String to) throws IOException {
    Path target = folder.resolve(to);
    Files.deleteIfExists(target);
    Files.copy(Shared.root().resolve("market/src/test/resources/pickle").resolve(from), target);
  }
}
