package io.tranche.work.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.synthetic.Book;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.work.stress.ChangedBars.Change;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ChangedBarsTest {

  private static final SyntheticMarket MARKET =
      new SyntheticMarket(
          SyntheticConfig.DEFAULT
              .withSize(2, 40)
              .withBook(Book.QUOTES)
              .withIncidents(SyntheticConfig.Incidents.NONE));

  private static final LocalDate FROM = MARKET.calendar().date(20);
  private static final int ROW = 20 * 48;
  private static final Map<String, Change> ALL = ChangedBars.all(MARKET.fields());

  private static BarSeries changed(String name) {
    Change change = Objects.requireNonNull(ALL.get(name), name);
    return ChangedBars.of(MARKET, FROM, change).series("SYN0001");
  }

  private static double value(BarSeries series, String field, int row) {
    return series.value(series.fieldIndex(field), row);
  }

  private static double log(BarSeries series, int from, int to) {
    return Math.log(value(series, "close", to) / value(series, "close", from));
  }

  @Test
  void theDaysBeforeStayAsTheyAreAndAgainIsTheSame() {
    BarSeries own = MARKET.series("SYN0001");
    for (String name : ALL.keySet()) {
      BarSeries once = changed(name);
      BarSeries again = changed(name);
      boolean differs = false;
      for (int field = 0; field < own.fields().size(); field++) {
        for (int row = 0; row < own.size(); row++) {
          boolean isSame = Float.compare(once.value(field, row), own.value(field, row)) == 0;
          assertThat(again.value(field, row)).isEqualTo(Float.valueOf(once.value(field, row)));
          assertThat(isSame || row >= ROW).isTrue();
          differs |= !isSame;
        }
      }
      assertThat(differs).as(name).isTrue();
    }
  }

  @Test
  void anInstrumentMayBeginLaterThanTheMarket() {
    BarSeries own = MARKET.series("SYN0001");
    float[][] columns = new float[own.fields().size()][own.size() - 48];
    for (int field = 0; field < columns.length; field++) {
      own.copy(field, 48, columns[field], 0, columns[field].length);
    }
    var late =
        MARKET.changed(
            MARKET.fields(),
            _ -> BarSeries.wrap("SYN0001", MARKET.calendar(), 1, MARKET.fields(), columns));

    BarSeries changed =
        ChangedBars.of(late, FROM, Objects.requireNonNull(ALL.get("volume x 3"))).series("SYN0001");

    assertThat(changed.firstDay()).isEqualTo(1);
    assertThat(value(changed, "volume", ROW - 48 - 1)).isEqualTo(value(own, "volume", ROW - 1));
    assertThat(value(changed, "volume", ROW - 48)).isEqualTo(3 * value(own, "volume", ROW));
  }

  @Test
  void movesBecomeLargerAndTrendsAreAdded() {
    BarSeries own = MARKET.series("SYN0001");
    double move = log(own, ROW + 5, ROW + 40);

    assertThat(log(changed("volatility x 2"), ROW + 5, ROW + 40)).isCloseTo(2 * move, within(1e-5));
    assertThat(log(changed("volatility x 0.5"), ROW + 5, ROW + 40))
        .isCloseTo(move / 2, within(1e-5));
    assertThat(log(changed("trend +200 bps a day"), ROW + 5, ROW + 40))
        .isCloseTo(move + 0.02 * 35 / 48, within(1e-5));
    BarSeries wild = changed("volatility x 3");
    for (int row = ROW; row < wild.size(); row++) {
      assertThat(value(wild, "high", row)).isGreaterThanOrEqualTo(value(wild, "close", row));
      assertThat(value(wild, "low", row)).isLessThanOrEqualTo(value(wild, "close", row));
    }
  }

  @Test
  void volumesShrinkAndSpreadsWiden() {
    BarSeries own = MARKET.series("SYN0001");
    BarSeries thin = changed("volume x 0.1");
    BarSeries wide = changed("quoted spread x 4");
    for (int row = ROW; row < ROW + 48; row++) {
      for (String size : new String[] {"volume", "bidv1", "askv1"}) {
        assertThat(value(thin, size, row)).isCloseTo(0.1 * value(own, size, row), within(0.1));
      }
      assertThat(value(wide, "ask", row) - value(wide, "bid", row))
          .isCloseTo(4 * (value(own, "ask", row) - value(own, "bid", row)), within(1e-3));
    }
  }

  @Test
  void barsAreMissingAsOftenAsItSays() {
    assertThat(missing("5 % of bars missing")).isCloseTo(0.05, within(0.03));
    assertThat(missing("20 % of bars missing")).isCloseTo(0.2, within(0.05));
    assertThat(missing("halts")).isBetween(0.02, 0.2);
  }

  private static double missing(String name) {
    BarSeries series = changed(name);
    int count = 0;
    for (int row = ROW; row < series.size(); row++) {
      count += series.isMissing(row) ? 1 : 0;
    }
    return (double) count / (series.size() - ROW);
  }

  @Test
  void barsWithoutQuotesHaveNoSpreadToWiden() {
    assertThat(ChangedBars.all(List.of("close", "volume")).keySet())
        .noneMatch(name -> name.startsWith("quoted"));
  }
}
