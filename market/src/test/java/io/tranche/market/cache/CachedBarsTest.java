package io.tranche.market.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSeries;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Allocation;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class CachedBarsTest {

  private final SyntheticMarket market =
      new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(3, 5));
  private final String first = market.instruments().get(0);
  private final String second = market.instruments().get(1);
  private final String third = market.instruments().get(2);

  @Test
  void keepsTheInstrumentsUsedLast() {
    var bars = new CachedBars(market, 2);
    BarSeries one = bars.series(first);
    BarSeries two = bars.series(second);
    assertThat(bars.series(first)).isSameAs(one);

    bars.series(third);

    assertThat(bars.series(first)).isSameAs(one);
    assertThat(bars.series(second)).isNotSameAs(two);
  }

  @Test
  void looksUpAWarmDayWithoutAllocating() {
    var bars = new CachedBars(market, 3);
    LocalDate date = market.calendar().date(2);
    long bytes =
        Allocation.settledBytesOf(
            1_000,
            () -> {
              for (int i = 0; i < 10_000; i++) {
                bars.day(first, date);
              }
            });

    assertThat(bytes).isLessThan(1_000);
  }

  @Test
  void refusesToKeepNothing() {
    assertThatThrownBy(() -> new CachedBars(market, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("kept must be at least 1, was 0");
  }
}
