package io.tranche.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.Side;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.RelativeVolume;
import io.tranche.market.feature.provider.TimeOfDay;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Allocation;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MirrorTest {

  private static final LocalDate DAY = LocalDate.of(2024, 1, 2);

  private static float[] row(DayFeatures day) {
    float[] row = new float[day.columns().today().size()];
    day.copyToday(0, 1, row, 0);
    return row;
  }

  private static DayFeatures oneTick(List<String> columns, float... row) {
    List<String> yesterday = columns.stream().map(name -> name + "_1").toList();
    return DayFeatures.wrap(
        "A", DAY, new FeatureColumns(columns, yesterday), new long[] {0}, row, row.clone());
  }

  @Test
  void pricesChangeSignAndHighsBecomeLows() {
    DayFeatures day =
        oneTick(
            List.of("$open", "$high", "$low", "$close", "$volume", "$momentum6", "$time_of_day"),
            1,
            4,
            -2,
            3,
            5,
            6,
            7);

    DayFeatures mirrored = new Mirror(day.columns()).apply(day);

    assertThat(row(mirrored)).containsExactly(-1, 2, -4, -3, 5, -6, 7);
    assertThat(mirrored.yesterday(0, 1)).isEqualTo(2);
    assertThat(row(new Mirror(day.columns()).apply(mirrored))).containsExactly(row(day));
  }

  @Test
  void theTwoSidesOfTheBookChangePlaces() {
    DayFeatures day =
        oneTick(
            List.of("$bid", "$ask", "$bidv1", "$askv1", "$limit_buy", "$limit_sell", "$imbalance1"),
            1,
            2,
            30,
            40,
            0,
            1,
            0.5f);

    assertThat(row(new Mirror(day.columns()).apply(day)))
        .containsExactly(-2, -1, 40, 30, 1, 0, -0.5f);
  }

  @Test
  void aHighWithoutALowCannotBeMirrored() {
    var columns = new FeatureColumns(List.of("$high"), List.of());

    assertThatThrownBy(() -> new Mirror(columns)).hasMessageContaining("$low");
  }

  @Test
  void ordersOfOneSideShareTheirDay() {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(1, 20));
    FeatureSource source =
        ComputedFeatures.of(
            market, List.of(new PriceMoves(), new RelativeVolume(), new TimeOfDay()), 0, 100);
    SidedFeatures sided = SidedFeatures.mirrored(source, 100);
    String instrument = market.instruments().getFirst();
    LocalDate date = market.calendar().date(15);

    DayFeatures buys = sided.day(instrument, date, Side.BUY);
    DayFeatures sells = sided.day(instrument, date, Side.SELL);

    assertThat(sided.isMirrored()).isTrue();
    assertThat(sided.day(instrument, date, Side.BUY)).isSameAs(buys);
    assertThat(sells).isSameAs(source.day(instrument, date));
    for (int column = 0; column < 4; column++) {
      assertThat(buys.today(20, column)).isEqualTo(-sells.today(20, column)).isNotZero();
    }
    assertThat(buys.today(20, 4)).isEqualTo(sells.today(20, 4)).isNotZero();
    assertThat(SidedFeatures.alike(source).isMirrored()).isFalse();
  }

  @Test
  void rowsAreTurnedAsDaysAre() {
    DayFeatures day =
        oneTick(List.of("$open", "$high", "$low", "$volume", "$change"), 1, -0f, 3, 4, Float.NaN);
    var mirror = new Mirror(day.columns());
    DayFeatures expected = mirror.apply(day);
    float[] from = new float[7];
    float[] to = new float[8];
    day.copyToday(0, 1, from, 2);

    mirror.turnToday(from, 2, to, 1);

    assertThat(Arrays.copyOfRange(to, 1, 6)).containsExactly(row(expected));
    float[] before = new float[5];
    float[] yesterday = new float[5];
    day.copyYesterday(0, 1, before, 0);
    expected.copyYesterday(0, 1, yesterday, 0);
    assertThat(mirror.turnYesterday(before)).containsExactly(yesterday);
    assertThat(Allocation.settledBytesOf(() -> mirror.turnToday(from, 2, to, 1))).isZero();
  }
}
