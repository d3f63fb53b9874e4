package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WindowTest {

  private static final Schedule SCHEDULE = new Schedule(1, 6, 2);
  private static final float GAP = Float.NaN;

  @Test
  void cutsTheWindowIntoStepsTheLastMayBeShort() {
    assertThat(SCHEDULE.steps()).isEqualTo(3);
    assertThat(SCHEDULE.start(2)).isEqualTo(5);
    assertThat(SCHEDULE.end(2)).isEqualTo(6);
    assertThatThrownBy(() -> new Schedule(3, 3, 1)).hasMessageContaining("3 .. 3");
    assertThatThrownBy(() -> new Schedule(0, 3, 0)).hasMessageContaining("was 0");
  }

  @Test
  void weighsTradesAgainstTheMeanOfTheWindow() {
    var window = new Window(SCHEDULE, day(9, 10, 12, 14, GAP, 8));

    // Steps at 11, 14 and 8; the four closes of the window average 11.
    assertThat(window.isTradable()).isTrue();
    assertThat(window.advantageBps(Side.SELL, (_, _, _) -> 1)).isZero();
    assertThat(window.advantageBps(Side.SELL, (_, _, _) -> 0))
        .isCloseTo(-30_000 / 11.0, within(1e-9));
    assertThat(window.advantageBps(Side.BUY, (_, _, _) -> 0))
        .isCloseTo(30_000 / 11.0, within(1e-9));
    assertThat(window.advantageBps(Side.SELL, (_, _, step) -> step * 0.75))
        .isCloseTo((14 * 0.75 + 8 * 0.25 - 11) / 11 * 10_000, within(1e-9));
    assertThat(window.bestStepBps(Side.SELL)).isCloseTo(30_000 / 11.0, within(1e-9));
    assertThat(window.bestStepBps(Side.BUY)).isCloseTo(30_000 / 11.0, within(1e-9));
    assertThat(window.bestBarBps(Side.BUY)).isCloseTo(30_000 / 11.0, within(1e-9));
  }

  @Test
  void cannotBeWorkedWhereAStepHasNoBar() {
    assertThat(new Window(SCHEDULE, day(9, 10, 12, GAP, GAP, 8)).isTradable()).isFalse();
    assertThat(new Window(SCHEDULE, day(GAP, 10, GAP, GAP, 4, 8)).isTradable()).isTrue();
    assertThatThrownBy(() -> new Window(new Schedule(0, 7, 2), day(1, 2, 3, 4, 5, 6)))
        .hasMessageContaining("by tick 6");
  }

  private static DayFrame day(float... closes) {
    long[] times = new long[closes.length];
    for (int i = 0; i < times.length; i++) {
      times[i] = i * 60L;
    }
    var calendar = Calendar.of(Frequency.MINUTE, times);
    var series = BarSeries.wrap("A", calendar, 0, List.of("close"), new float[][] {closes});
    return Objects.requireNonNull(series.day(0));
  }
}
