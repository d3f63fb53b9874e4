package io.tranche.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Frequency;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarketPaceTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void barsComeAtTheirPaceAndBreaksPassLikeABar() {
    long began = System.nanoTime();
    var pace = new MarketPace(3000, Frequency.ofMinutes(1), LONG, new StopRequest(), _ -> {});
    for (long time : List.of(0L, 60L, 120L, 90_000L, 1_000_000L)) {
      assertThat(pace.await(time)).isTrue();
    }

    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isGreaterThanOrEqualTo(Duration.ofMillis(99)) // 5 bars of 20 ms
        .isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void nothingComesOnceItIsToStop() {
    var stop = new StopRequest();
    var pace = new MarketPace(1, Frequency.DAY, LONG, stop, _ -> stop.request());
    var over = new MarketPace(1, Frequency.DAY, Duration.ofNanos(1), new StopRequest(), _ -> {});

    assertThat(pace.await(0)).isFalse();
    assertThat(pace.isOver()).isTrue();
    assertThat(over.await(0)).isFalse();
  }
}
