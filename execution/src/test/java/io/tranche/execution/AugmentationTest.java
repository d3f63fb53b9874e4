package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.DayTicks;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class AugmentationTest {

  private static final LocalDate FIRST = LocalDate.of(2024, 3, 1);
  private static final int TICKS = 24;
  private static final TickSource MARKET = order -> ticks(order.date());

  private static final FeatureSource FEATURES =
      new FeatureSource() {
        private final FeatureColumns columns =
            new FeatureColumns(List.of("momentum_1", "busy"), List.of());

        @Override
        public FeatureColumns columns() {
          return columns;
        }

        @Override
        public DayFeatures day(String instrument, LocalDate date) {
          assertThat(instrument).isEqualTo("AAA"); // the market knows no variants
          float[] today = new float[2 * TICKS];
          for (int i = 0; i < today.length; i++) {
            today[i] = i;
          }
          return DayFeatures.wrap(instrument, date, columns, times(date), today, new float[0]);
        }
      };

  /// Hourly bars around the clock.
  private static long[] times(LocalDate date) {
    long[] times = new long[TICKS];
    for (int i = 0; i < TICKS; i++) {
      times[i] = BarTime.of(date.atStartOfDay()) + 3600L * i;
    }
    return times;
  }

  private static DayTicks ticks(LocalDate date) {
    double[] prices = new double[TICKS];
    double[] volumes = new double[TICKS];
    for (int i = 0; i < TICKS; i++) {
      prices[i] = i == 0 ? Double.NaN : 100 + i;
      volumes[i] = i == 0 ? Double.NaN : 1000;
    }
    return DayTicks.of("AAA", times(date), prices, volumes, false);
  }

  private static Order order(int day, int from, int to) {
    LocalDate date = FIRST.plusDays(day);
    return new Order("AAA", Side.SELL, 10, date.atTime(from, 0), date.atTime(to, 0), date);
  }

  private static List<Order> days(int count) {
    var orders = new ArrayList<Order>();
    for (int i = 0; i < count; i++) {
      orders.add(order(i, 8, 16));
    }
    return orders;
  }

  private static List<Order> varied(Augmentation augmentation, List<Order> orders, long seed) {
    return augmentation.orders(orders, seed, MARKET, _ -> {});
  }

  @Test
  void bootstrappedDaysAreAsManyAndOfEachSeedOthers() {
    var bootstrap = new Augmentation(0, 0, 0, true);
    List<Order> orders = days(50);

    List<Order> drawn = varied(bootstrap, orders, 1);

    assertThat(drawn).hasSize(50).isSubsetOf(orders).isEqualTo(varied(bootstrap, orders, 1));
    // About 63 % of the days come at all.
    assertThat(new HashSet<>(drawn)).hasSizeBetween(22, 42);
    assertThat(varied(bootstrap, orders, 2)).isNotEqualTo(drawn);
  }

  @Test
  void windowsMoveWithinTheirDayAndStayHalfAsLong() {
    var jitter = new Augmentation(0, 0, 180, false);
    List<Order> orders = days(40);

    List<Order> moved = varied(jitter, orders, 1);

    assertThat(moved).hasSize(40 * (1 + Augmentation.VARIANTS)).startsWith(orders.get(0));
    assertThat(new HashSet<>(moved)).hasSizeGreaterThan(200);
    assertThat(moved)
        .allSatisfy(
            each -> {
              assertThat(each.instrument()).isEqualTo("AAA");
              assertThat(each.start().toLocalDate()).isEqualTo(each.date());
              assertThat(each.start().getHour()).isBetween(5, 11);
              assertThat(each.end().getHour()).isBetween(13, 19);
              assertThat(each.end()).isAfterOrEqualTo(each.start().plusHours(4));
            });
  }

  @Test
  void aWindowOfTheWholeDayOnlyShrinks() {
    LocalDate date = FIRST;
    var whole =
        new Order("AAA", Side.BUY, 1, date.atStartOfDay(), date.plusDays(1).atStartOfDay(), date);

    assertThat(varied(new Augmentation(0, 0, 120, false), List.of(whole), 3))
        .allSatisfy(
            each -> {
              assertThat(each.start()).isAfterOrEqualTo(whole.start());
              assertThat(each.end()).isBeforeOrEqualTo(whole.end());
            });
  }

  @Test
  void aWindowWithoutBarsStays() {
    var jitter = new Augmentation(0, 0, 60, false);

    List<Order> moved =
        jitter.orders(
            days(5),
            1,
            MARKET,
            each -> {
              throw new DataException("AAA", "bars", "none");
            });

    assertThat(new HashSet<>(moved)).isEqualTo(new HashSet<>(days(5)));
  }

  @Test
  void aScaledDayMovesByAFactorInPricesAndFeatures() {
    var scale = new Augmentation(0.5, 0, 0, false);
    List<Order> orders = varied(scale, days(1), 7);
    TickSource ticks = scale.over(MARKET, 7);
    FeatureSource features = scale.over(FEATURES, 7);

    var factors = new HashSet<Double>();
    for (Order each : orders) {
      DayTicks day = ticks.ticks(each);
      double factor = Math.log(day.price(5) / day.price(1)) / Math.log(105.0 / 101);
      assertThat(day.price(0)).isNaN();
      assertThat(day.price(1)).isCloseTo(101, within(1e-9));
      assertThat(Math.log(day.price(20) / day.price(1)))
          .isCloseTo(factor * Math.log(120.0 / 101), within(1e-12));
      assertThat(day.volume(5)).isEqualTo(1000);
      DayFeatures seen = features.day(each.instrument(), each.date());
      assertThat(seen.today(3, 0)).isCloseTo((float) (6 * factor), within(1e-4f));
      assertThat(seen.today(3, 1)).isEqualTo(7); // how busy the day is stays
      factors.add(Math.round(factor * 1e6) / 1e6);
    }

    assertThat(orders).hasSize(1 + Augmentation.VARIANTS);
    assertThat(factors).hasSize(orders.size()).contains(1.0);
    assertThat(ticks.ticks(days(1).getFirst()).price(9)).isEqualTo(109);
  }

  @Test
  void noiseDiffersFromVariantToVariantAndIsTheSameForBothSides() {
    var noise = new Augmentation(0, 0.1, 0, false);
    List<Order> orders = varied(noise, days(1), 1);
    FeatureSource features = noise.over(FEATURES, 1);

    double squares = 0;
    for (Order each : orders.subList(1, orders.size())) {
      DayFeatures day = features.day(each.instrument(), each.date());
      assertThat(noise.over(FEATURES, 1).day(each.instrument(), each.date()).today(4, 1))
          .isEqualTo(day.today(4, 1));
      for (int tick = 0; tick < TICKS; tick++) {
        double error = day.today(tick, 1) - (2 * tick + 1);
        squares += error * error;
      }
      assertThat(noise.over(MARKET, 1).ticks(each).price(3)).isEqualTo(103);
    }

    assertThat(Math.sqrt(squares / (Augmentation.VARIANTS * TICKS))).isBetween(0.08, 0.12);
    assertThat(features.day("AAA", FIRST).today(4, 1)).isEqualTo(9);
  }
}
