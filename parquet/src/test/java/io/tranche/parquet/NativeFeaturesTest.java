package io.tranche.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.provider.CausalityCheck;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.DepthImbalance;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.RealisedVolatility;
import io.tranche.market.feature.provider.Spread;
import io.tranche.market.feature.provider.VolumeProfile;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.testkit.Shared;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Native features on real quotes and depth.
class NativeFeaturesTest {

  @ParameterizedTest
  @CsvSource({"us_lean_1min_quotes_Apache2, 1", "cn_l2bars_1min_20211201_Apache2, 10"})
  void featuresOfRealQuotesAreSaneAndDoNotLookAhead(String name, int levels) {
    var providers =
        List.<FeatureProvider>of(
            new Spread(),
            new DepthImbalance(levels),
            new RealisedVolatility(),
            new VolumeProfile());
    try (BarSource bars =
        BarFiles.open(Shared.orSkip("data/" + name + ".parquet"), ColumnMapping.DEFAULT)) {
      var features = ComputedFeatures.of(bars, providers, Float.NaN, 1000);
      int quoted = 0;
      int ticks = 0;
      for (String instrument : bars.instruments()) {
        BarSeries series = bars.series(instrument);
        for (int day = series.firstDay(); day < series.endDay(); day++) {
          DayFeatures found = features.day(instrument, bars.calendar().date(day));
          boolean quotedBefore = false;
          double done = 0;
          // A half day has the rows of a whole one, the last ones missing.
          int real = Objects.requireNonNull(series.day(day)).ticks();
          assertThat(found.ticks()).isGreaterThanOrEqualTo(real);
          for (int tick = 0; tick < real; tick++) {
            float spread = found.today(tick, 0);
            assertThat(!quotedBefore || !Float.isNaN(spread)).isTrue();
            quotedBefore = !Float.isNaN(spread);
            quoted += quotedBefore ? 1 : 0;
            ticks +=
                series.isMissing(series.calendar().dayStart(day) - series.firstBar() + tick)
                    ? 0
                    : 1;
            assertThat(!quotedBefore || Math.abs(spread) < 1000).isTrue();
            float imbalance = found.today(tick, 1);
            assertThat(Float.isNaN(imbalance) || Math.abs(imbalance) <= 1).isTrue();
            assertThat(found.today(tick, 2) < 0).isFalse();
            assertThat(found.today(tick, 3) < done).isFalse();
            done = Float.isNaN(found.today(tick, 3)) ? done : found.today(tick, 3);
          }
        }
        for (FeatureProvider provider : providers) {
          assertThat(CausalityCheck.find(provider, series, series.endDay() - 1)).isNull();
        }
      }
      assertThat(quoted).isGreaterThan((int) (0.9 * ticks));
    }
  }
}
