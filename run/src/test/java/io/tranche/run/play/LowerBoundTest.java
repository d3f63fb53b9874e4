package io.tranche.run.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.Order;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class LowerBoundTest {

  /// Returns orders that won so many basis points on each of some days.
  private static PolicyResults won(double... bps) {
    var results = new ArrayList<OrderResult>();
    for (int day = 0; day < bps.length; day++) {
      LocalDate date = LocalDate.of(2024, 3, 1).plusDays(day);
      for (int i = 0; i < 20; i++) {
        var order = new Order("A" + i, Side.SELL, 1, date.atTime(9, 30), date.atTime(15, 0), date);
        results.add(OrderResult.of(order, bps[day], 1));
      }
    }
    return new PolicyResults("", results);
  }

  /// One lucky day makes the best mean and the worst bound, however many orders it has.
  @Test
  void oneLuckyDayIsWorthLessThanFourModestOnes() {
    PolicyResults twap = won(0, 0, 0, 0);
    PolicyResults lucky = won(41, 0, -1, 0);
    PolicyResults modest = won(2, 3, 2, 3);

    assertThat(lucky.meanBps(null)).isGreaterThan(modest.meanBps(null));
    assertThat(LowerBound.of(modest, twap)).isPositive();
    assertThat(LowerBound.of(lucky, twap)).isNegative();
    // Four days, three degrees of freedom: scipy.stats.t.ppf(0.975, 3) is 3.18245.
    assertThat(LowerBound.of(modest, twap))
        .isCloseTo(2.5 - 3.18245 * Math.sqrt(1.0 / 3 / 4), within(1e-4));
  }

  @Test
  void aSingleDayHasItsMean() {
    assertThat(LowerBound.of(won(5), won(2))).isEqualTo(3);
  }

  /// Trading everything at once wins on one side what it loses on the other, every day alike.
  @Test
  void anAgentThatLooksAtNothingIsNoBetterThanItsWorseSide() {
    PolicyResults twap = both(0, 0, 0, 0);
    PolicyResults atOnce = both(40, 20, -10, 30);
    PolicyResults modest = won(-1, 3, 2, 3);

    assertThat(LowerBound.of(atOnce, twap)).isLessThan(-20);
    assertThat(LowerBound.of(modest, won(0, 0, 0, 0))).isGreaterThan(LowerBound.of(atOnce, twap));
    assertThat(LowerBound.of(twap, twap)).isZero();
  }

  /// Returns sells that won so much, and buys that lost it.
  private static PolicyResults both(double... bps) {
    var results = new ArrayList<OrderResult>();
    for (OrderResult sell : won(bps).orders()) {
      Order order = sell.order();
      var bought = new Order("A", Side.BUY, 1, order.start(), order.end(), order.date());
      results.add(sell);
      results.add(OrderResult.of(bought, -sell.netAdvantageBps(), 1));
    }
    return new PolicyResults("", results);
  }
}
