package io.tranche.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.ProvidedFeatures;
import io.tranche.market.feature.provider.RelativeVolume;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class MarketIndexTest {

  private static final List<FeatureProvider> PROVIDERS =
      List.of(new PriceMoves(), new RelativeVolume());
  private static final SyntheticMarket MARKET =
      new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(12, 14));
  private static final String FIRST = MARKET.instruments().getFirst();
  private static final String LAST = MARKET.instruments().getLast();

  /// The embedded market with other columns.
  private record Changed(UnaryOperator<BarSeries> change) implements BarSource {

    @Override
    public Calendar calendar() {
      return MARKET.calendar();
    }

    @Override
    public List<String> instruments() {
      return MARKET.instruments();
    }

    @Override
    public List<String> fields() {
      return MARKET.fields();
    }

    @Override
    public BarSeries series(String instrument) {
      return change.apply(MARKET.series(instrument));
    }
  }

  /// Returns the market under a common walk of prices.
  ///
  /// @param from the first bar that it moves
  private static BarSource walking(double size, int from) {
    return new Changed(
        series -> {
          float[][] columns = columns(series);
          var random = new SplittableRandom(3);
          double level = 1;
          for (int row = 0; row < series.size(); row++) {
            level *= row < from ? 1 : 1 + size * random.nextGaussian();
            for (String price : List.of("open", "high", "low", "close")) {
              columns[series.fieldIndex(price)][row] *= (float) level;
            }
          }
          return wrap(series, columns);
        });
  }

  private static float[][] columns(BarSeries series) {
    float[][] columns = new float[series.fields().size()][series.size()];
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
    }
    return columns;
  }

  private static BarSeries wrap(BarSeries series, float[][] columns) {
    return BarSeries.wrap(
        series.instrument(), series.calendar(), series.firstDay(), series.fields(), columns);
  }

  @Test
  void neutralFeaturesDoNotSeeWhatAllInstrumentsDo() {
    var still = walking(0, 0);
    var moving = walking(0.002, 0);

    assertThat(distance(still, moving, true))
        .isCloseTo(0, within(0.2)); // instruments lack some bars
    assertThat(distance(still, moving, false)).isGreaterThan(1);
  }

  private static double distance(BarSource one, BarSource other, boolean isNeutral) {
    DayFeatures left = day(one, isNeutral);
    DayFeatures right = day(other, isNeutral);
    double most = 0;
    for (int tick = 0; tick < left.ticks(); tick++) {
      for (int column = 0; column < left.columns().today().size(); column++) {
        most = Math.max(most, Math.abs(left.today(tick, column) - right.today(tick, column)));
      }
    }
    return most;
  }

  private static DayFeatures day(BarSource bars, boolean isNeutral) {
    return ComputedFeatures.of(bars, PROVIDERS, 0, 4, isNeutral)
        .day(FIRST, bars.calendar().date(13));
  }

  @Test
  void streamsToTheLastBitWhereTheIndexComesWithTheBars() {
    BarSource indexed = MarketIndex.added(MARKET);
    FeatureSource batch = ComputedFeatures.of(indexed, PROVIDERS, 0, 10, true);
    var recipe = new ProvidedFeatures(PROVIDERS, 0, true, true);

    assertThat(batch.recipe()).isEqualTo(recipe);
    assertThat(ProvidedFeatures.from(recipe.toConfig())).isEqualTo(recipe);
    assertThat(recipe.fields()).endsWith(MarketIndex.FIELD);
    for (int day : new int[] {0, 1, 5, 13}) {
      Streaming.assertEqualsBatch(recipe, batch, indexed, FIRST, day, 7);
    }
  }

  @Test
  void laterBarsChangeNothing() {
    int from = 10 * MARKET.calendar().dayEnd(0);
    BarSeries one = MarketIndex.added(walking(0, 0)).series(FIRST);
    BarSeries other = MarketIndex.added(walking(0.01, from)).series(FIRST);
    int field = one.fieldIndex(MarketIndex.FIELD);

    for (int row = 0; row < from; row++) {
      assertThat(other.value(field, row)).isEqualTo(one.value(field, row));
    }
    assertThat(other.value(field, from + 10)).isNotEqualTo(one.value(field, from + 10));
  }

  @Test
  void aSplitIsNoMoveOfTheMarket() {
    var split =
        new Changed(
            series -> {
              float[][] columns = columns(series);
              for (int row = 100; row < series.size() && series.instrument().equals(LAST); row++) {
                columns[series.fieldIndex("close")][row] /= 10;
              }
              return wrap(series, columns);
            });
    BarSeries one = MarketIndex.added(MARKET).series(FIRST);
    BarSeries other = MarketIndex.added(split).series(FIRST);
    int field = one.fieldIndex(MarketIndex.FIELD);

    assertThat(other.value(field, 200)).isCloseTo(one.value(field, 200), within(0.002f));
  }

  @Test
  void refusesTooFewInstruments() {
    var few = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(2, 12));

    assertThatThrownBy(() -> MarketIndex.added(few))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "market-neutral features: expected bars of at least 10 instruments, or with a column"
                + " 'market' that holds an index, was 2 instruments");
  }
}
