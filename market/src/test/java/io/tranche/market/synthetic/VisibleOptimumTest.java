package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSeries;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VisibleOptimumTest {

  private static final int HALF_HOUR = 1800;

  @ParameterizedTest
  @EnumSource
  void decidesWithoutTheFuture(Law law) {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withLaw(law).withSize(4, 20));
    Schedule schedule = market.wholeDay(HALF_HOUR);
    var optimum = new VisibleOptimum(market, schedule);

    Cases.forAll(
        Cases.count(100, 2000),
        random -> {
          BarSeries series = market.series(market.instruments().get(random.nextInt(4)));
          int day = random.nextInt(series.endDay());
          int step = random.nextInt(schedule.steps());
          int firstUnseen = day * 48 + schedule.start(step);
          float[][] columns = columns(series);
          int row = random.nextInt(firstUnseen, series.size());
          for (float[] column : columns) {
            column[row] = random.nextBoolean() ? Float.NaN : column[row] * 1.5f;
          }
          BarSeries changed =
              BarSeries.wrap(series.instrument(), series.calendar(), 0, series.fields(), columns);

          for (Side side : Side.values()) {
            assertThat(optimum.policy(changed).gainOfWaiting(frame(changed, day), side, step))
                .isEqualTo(optimum.policy(series).gainOfWaiting(frame(series, day), side, step));
          }
        });
  }

  private static float[][] columns(BarSeries series) {
    float[][] columns = new float[series.fields().size()][series.size()];
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
    }
    return columns;
  }

  @Test
  void refusesWhatIsNotOfItsMarket() {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(2, 3));
    var optimum = new VisibleOptimum(market, market.wholeDay(HALF_HOUR));
    BarSeries series = market.series("SYN0001");
    var closesOnly =
        BarSeries.wrap(
            "SYN0001", market.calendar(), 0, List.of("close"), new float[1][series.size()]);
    var stranger =
        BarSeries.wrap(
            "SYN0002", market.calendar(), 0, List.of("close"), new float[1][series.size()]);

    assertThatThrownBy(() -> optimum.policy(closesOnly))
        .isInstanceOf(DataException.class)
        .hasMessage("SYN0001: expected a field open, was [close]");
    assertThatThrownBy(() -> optimum.policy(stranger)).isInstanceOf(DataException.class);
    assertThatThrownBy(() -> new VisibleOptimum(market, new Schedule(0, 49, 6)))
        .hasMessageContaining("by tick 48");
    assertThatThrownBy(() -> market.wholeDay(100)).hasMessageContaining("multiple of 300");
  }

  private static DayFrame frame(BarSeries series, int day) {
    return Objects.requireNonNull(series.day(day));
  }
}
