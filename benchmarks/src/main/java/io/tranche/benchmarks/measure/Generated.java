package io.tranche.benchmarks.measure;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticConfig.Incidents;
import io.tranche.market.synthetic.SyntheticMarket;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Bars for both sides of a comparison: the embedded market without gaps, in the six fields that
/// every data vendor has.
public final class Generated implements BarSource {

  public static final List<String> FIELDS =
      List.of("open", "high", "low", "close", "volume", "vwap");

  /// Those of [#FIELDS] that are prices, as features name them.
  public static final List<String> PRICES = List.of("$open", "$high", "$low", "$close");

  private final SyntheticMarket market;

  private Generated(SyntheticMarket market) {
    this.market = market;
  }

  /// Returns A-share days, computed again for every series.
  public static BarSource bars(int instruments, int days, Frequency frequency) {
    return new Generated(
        new SyntheticMarket(
            SyntheticConfig.DEFAULT
                .withSize(instruments, days)
                .withBars(Session.CHINA_STOCKS, frequency)
                .withIncidents(Incidents.NONE)));
  }

  /// Writes all of `bars`, commits and closes.
  public static void write(BarSource bars, BarWriter to) throws IOException {
    try (to) {
      for (String instrument : bars.instruments()) {
        to.write(bars.series(instrument));
      }
      to.commit();
    }
  }

  /// Returns the settings for the features of Qlib's example: prices and the volume.
  ///
  /// @param fitEnd the last bar used for the statistics
  public static FeatureConfig features(long start, long end, long fitEnd, int ticks) {
    var groups = new LinkedHashMap<>(Map.of("price", 2 * PRICES.size()));
    groups.put("volume", 2);
    return FeatureConfig.qlib(start, end, ticks, PRICES, groups).withFit(start, fitEnd);
  }

  /// Checks the number of rows: work that loses some must not look fast.
  public static void requireRows(long expected, long made) {
    if (made != expected) {
      throw new IllegalStateException("rows must be %d, was %d".formatted(expected, made));
    }
  }

  @Override
  public Calendar calendar() {
    return market.calendar();
  }

  @Override
  public List<String> instruments() {
    return market.instruments();
  }

  @Override
  public List<String> fields() {
    return FIELDS;
  }

  @Override
  public BarSeries series(String instrument) {
    BarSeries all = market.series(instrument);
    float[][] columns = new float[FIELDS.size()][all.size()];
    for (int i = 0; i < columns.length; i++) {
      all.copy(all.fieldIndex(FIELDS.get(i)), 0, columns[i], 0, all.size());
    }
    return BarSeries.wrap(instrument, all.calendar(), all.firstDay(), FIELDS, columns);
  }
}
