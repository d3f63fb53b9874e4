package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachedTicksTest {

  /// Two days of two bars: a Friday, and a Monday whose first bar is Friday night's.
  private static final Calendar CALENDAR =
      Calendar.of(
          Frequency.MINUTE,
          new long[] {
            BarTime.parse("2021-03-05 09:00"),
            BarTime.parse("2021-03-05 14:00"),
            BarTime.parse("2021-03-05 21:00"),
            BarTime.parse("2021-03-08 09:00"),
          },
          Session.CHINA_FUTURES);

  private static final class Bars implements BarSource {
    int reads;

    @Override
    public Calendar calendar() {
      return CALENDAR;
    }

    @Override
    public List<String> instruments() {
      return List.of("CU");
    }

    @Override
    public List<String> fields() {
      return List.of("close", "volume");
    }

    @Override
    public BarSeries series(String instrument) {
      reads++;
      return BarSeries.wrap(
          instrument, CALENDAR, 0, fields(), new float[][] {{1, 2, 3, 4}, {1, 1, 1, 1}});
    }
  }

  private static Order order(String start, String end, Side side) {
    return new Order("CU", side, 1, LocalDateTime.parse(start), LocalDateTime.parse(end));
  }

  @Test
  void keepsTheDaysUsedLast() {
    var made = new ArrayList<Side>();
    var ticks =
        new CachedTicks(
            order -> {
              made.add(order.side());
              return Episodes.rising(2);
            },
            2);
    Order buy = order("2021-03-05T09:00", "2021-03-05T14:00:59", Side.BUY);
    Order sale = order("2021-03-05T09:00", "2021-03-05T14:00:59", Side.SELL);
    Order monday = order("2021-03-08T09:00", "2021-03-08T09:00:59", Side.BUY);

    assertThat(ticks.ticks(buy)).isSameAs(ticks.ticks(buy));
    ticks.ticks(sale);
    ticks.ticks(buy);
    ticks.ticks(monday); // the sale's day goes
    ticks.ticks(buy);
    assertThat(made).containsExactly(Side.BUY, Side.SELL, Side.BUY);

    ticks.ticks(sale);
    assertThat(made).hasSize(4);
  }

  @Test
  void readsAnInstrumentOnceForAllItsDays() {
    var bars = new Bars();
    CachedTicks ticks = CachedTicks.of(bars, DealPrice.CLOSE, 1);

    ticks.ticks(order("2021-03-05T09:00", "2021-03-05T14:00:59", Side.BUY));
    ticks.ticks(order("2021-03-08T09:00", "2021-03-08T09:00:59", Side.BUY));

    assertThat(bars.reads).isEqualTo(1);
  }

  @Test
  void anEveningOrderTradesOnTheNextTradingDay() {
    CachedTicks ticks = CachedTicks.of(new Bars(), DealPrice.CLOSE, 2);
    Order night = order("2021-03-05T21:00", "2021-03-08T09:00:59", Side.BUY);

    assertThat(ticks.ticks(night).price(0)).isEqualTo(3);
    SimpleSimulator simulator = SimpleSimulatorConfig.DEFAULT.over(ticks).create(night);
    assertThat(simulator.state().ticksForOrder()).isEqualTo(2);
  }

  @Test
  void namesTheOrderThatHasNoBars() {
    CachedTicks ticks = CachedTicks.of(new Bars(), DealPrice.CLOSE, 2);

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ticks.ticks(order("2021-03-09T09:00", "2021-03-09T10:00", Side.BUY)))
        .withMessageContaining("order BUY 1.0 CU, 2021-03-09T09:00")
        .withMessageContaining("expected bars of the instrument on the order's day");
  }
}
