package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.DayTicks;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.FeatureFiles;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachedTicksTest {

  private static final FeatureColumns BACKTEST =
      new FeatureColumns(List.of("$close0", "$volume0"), List.of());

  @Test
  void tradesOnTheHandlerPicklesThatQlibWrote() {
    Path folder = Shared.orSkip("qlib-run/data/pickle");
    FeatureSource pickles = FeatureFiles.open(folder, BACKTEST, true, 10);
    LocalDate date = LocalDate.of(2021, 3, 1);
    var order =
        new Order(
            "SH600000", Side.SELL, 100, date.atTime(9, 30), date.atTime(LocalTime.of(14, 59)));

    var ticks = CachedTicks.of(pickles, CachedTicks.Gaps.NONE, 10);
    DayTicks day = ticks.ticks(order);

    assertThat(day.count()).isEqualTo(48);
    assertThat(day.isSingle()).isTrue();
    assertThat(day.price(0)).isEqualTo(pickles.day("SH600000", date).today(0, 0));
    assertThat(ticks.ticks(order)).isSameAs(day);
  }

  @Test
  void namesAColumnThatIsNotThere() {
    var none = new FeatureColumns(List.of("$close0"), List.of());
    FeatureSource pickles = FeatureFiles.open(Path.of("nowhere"), none, true, 10);

    assertThatThrownBy(() -> CachedTicks.of(pickles, CachedTicks.Gaps.NONE, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("columns must include $volume0, was [$close0]");
  }
}
