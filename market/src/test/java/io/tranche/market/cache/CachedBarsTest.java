package io.tranche.market.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSeries;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Allocation;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
  void keepsAllThatFitIntoAShareOfTheHeap() {
    var small = CachedBars.byMemory(new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(40, 5)));
    List<BarSeries> read = small.instruments().stream().map(small::series).toList();

    for (BarSeries each : read) {
      assertThat(small.series(each.instrument())).isSameAs(each);
    }
    long whole = Runtime.getRuntime().maxMemory();
    var large = RecentCache.<Integer, Object>byMemory(2, _ -> whole / 40, _ -> new Object());
    Object one = large.get(1);
    large.get(2);
    assertThat(large.get(1)).isSameAs(one);
    large.get(3);
    large.get(4);
    assertThat(large.get(1)).isNotSameAs(one);
  }

  @Test
  void aValueThatCannotBeMadeIsTriedAgain() {
    var tried = new AtomicInteger();
    var cache =
        new RecentCache<String, Integer>(
            1,
            _ -> {
              if (tried.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
              }
              return tried.get();
            });

    assertThatThrownBy(() -> cache.get("a")).hasMessage("not yet");
    assertThat(cache.get("a")).isEqualTo(2);
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
