package io.tranche.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DayTicksTest {

  private static final float GAP = Float.NaN;
  private static final long OPEN = BarTime.parse("2021-03-01 09:30");

  private static DayFrame frame(List<String> fields, float[]... columns) {
    long[] times = new long[columns[0].length];
    for (int i = 0; i < times.length; i++) {
      times[i] = OPEN + 60L * i;
    }
    Calendar calendar = Calendar.of(Frequency.MINUTE, times);
    return Objects.requireNonNull(BarSeries.wrap("SH600000", calendar, 0, fields, columns).day(0));
  }

  @Test
  void takesItsColumnsFromBars() {
    DayFrame frame =
        frame(
            List.of("close", "volume", "high", "low"),
            new float[] {10, 11},
            new float[] {100, 200},
            new float[] {12, 13},
            new float[] {8, 9});

    DayTicks ticks = DayTicks.from(frame, DealPrice.CLOSE, Side.BUY);

    assertThat(ticks.count()).isEqualTo(2);
    assertThat(ticks.price(1)).isEqualTo(11);
    assertThat(ticks.volume(1)).isEqualTo(200);
    assertThat(ticks.highs()).containsExactly(12, 13);
    assertThat(ticks.lows()).containsExactly(8, 9);
    assertThat(ticks.bids()).isNull();
    assertThat(ticks.time(1)).isEqualTo(OPEN + 60);
    assertThat(ticks.ceiling(OPEN + 1)).isEqualTo(1);
    assertThat(ticks.isSingle()).isTrue();
    assertThat(ticks.isClean()).isTrue();
  }

  @Test
  void dealsAtTheQuoteOfTheOrdersSide() {
    DayFrame frame =
        frame(
            List.of("close0", "volume0", "bid0", "ask0"),
            new float[] {10, 10, 10},
            new float[] {1, 1, 1},
            new float[] {9, 0, GAP},
            new float[] {11, 12, 13});

    assertThat(DayTicks.from(frame, DealPrice.BID_OR_ASK, Side.SELL).prices())
        .containsExactly(9, 0, Double.NaN);
    assertThat(DayTicks.from(frame, DealPrice.BID_OR_ASK, Side.BUY).prices())
        .containsExactly(11, 12, 13);
    assertThat(DayTicks.from(frame, DealPrice.BID_OR_ASK_FILL, Side.SELL).prices())
        .containsExactly(9, 12, 13);
  }

  @Test
  void namesTheColumnThatIsMissing() {
    DayFrame frame = frame(List.of("close", "volume"), new float[] {1}, new float[] {1});

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> DayTicks.from(frame, DealPrice.BID_OR_ASK, Side.BUY))
        .withMessage("SH600000 2021-03-01: expected a column ask, was [close, volume]");
  }

  @Test
  void tellsMissingBarsFromBadOnes() {
    DayTicks ticks =
        DayTicks.from(
            frame(
                List.of("close", "volume"),
                new float[] {10, GAP, GAP, 10, 0},
                new float[] {1, GAP, 5, -1, 1}),
            DealPrice.CLOSE,
            Side.BUY);

    assertThat(ticks.isClean()).isFalse();
    assertThat(ticks.isMissing(1)).isTrue();
    assertThat(ticks.isMissing(2)).isFalse();
    assertThatCode(() -> ticks.requireClean(() -> "order", 0, 2)).doesNotThrowAnyException();
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ticks.requireClean(() -> "order", 0, 3))
        .withMessage("order, tick 2 (2021-03-01 09:32:00): expected a positive price, was NaN");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ticks.requireClean(() -> "order", 3, 4))
        .withMessageContaining("tick 3")
        .withMessageEndingWith("was -1.0");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ticks.requireClean(() -> "order", 4, 5))
        .withMessageEndingWith("expected a positive price, was 0.0");
  }

  @Test
  void averagesWithOrWithoutGaps() {
    DayTicks ticks =
        DayTicks.of(
            "S",
            new long[] {0, 60, 120},
            new double[] {1, Double.NaN, 4},
            new double[] {1, 2, 3},
            false);

    assertThat(ticks.meanPrice(0, 3)).isEqualTo(2.5);
    assertThat(ticks.meanPrice(0, 3, Gaps.SPREAD, false)).isNaN();
    assertThat(ticks.meanPrice(1, 2)).isNaN();
    assertThat(ticks.totalVolume(1, 3, Gaps.SPREAD, false)).isEqualTo(5);
    assertThat(ticks.value(0, 3, new double[] {9, 2, 3, 5}, 1, Gaps.SKIP)).isEqualTo(22);
  }

  @Test
  void refusesColumnsThatDoNotMatch() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DayTicks.of("S", new long[2], new double[1], new double[2], false))
        .withMessage("prices must be 2 long, was 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DayTicks.of("S", new long[2], new double[2], new double[2], false))
        .withMessageStartingWith("times must be strictly increasing");
  }
}
