package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Frequency;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.pickle.HandlerPickle;
import io.tranche.market.store.QlibStore;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Features that the real Qlib made of a store, against ours of the same store.
class QlibRunFeaturesTest {

  @TempDir Path folder;

  @Test
  void handlerPicklesEqualOurFeaturesUpToOneMeanAndDeviationAGroup() throws IOException {
    Path run = Shared.orSkip("qlib-run");
    Path pickles = run.resolve("data/pickle");
    HandlerPickle handler = HandlerPickle.read(pickles.resolve("feature/SH600000.pkl"));
    long start = handler.frame().time("datetime", 0);
    long end = handler.frame().time("datetime", handler.frame().rows() - 1);
    Map<String, Integer> groups = new LinkedHashMap<>();
    groups.put("price", 2 * handler.columns().size());
    groups.put("volume", 2);
    var config = FeatureConfig.qlib(start, end, handler.dayLength(), handler.columns(), groups);
    try (var bars = QlibStore.open(run.resolve("data/bin"), Frequency.parse(handler.frequency()))) {
      FeatureStore store =
          FeaturePipeline.run(bars, config, folder.resolve("out"), 2, FeatureProgress.NONE);
      List<String> names = List.copyOf(store.featureExpressions().keySet());

      assertThat(names).isEqualTo(handler.names());
      assertThat(List.copyOf(store.featureExpressions().values())).isEqualTo(handler.expressions());
      assertThat(store.instruments()).hasSize(4);
      assertThat(residual(store, pickles, names.subList(0, names.size() - 2))).isLessThan(2e-6);
      assertThat(residual(store, pickles, names.subList(names.size() - 2, names.size())))
          .isLessThan(2e-6);
      var traded = new FeatureColumns(List.of("$close0", "$volume0"), List.of());
      assertThat(values(store, store.backtest(traded, 1)))
          .isEqualTo(values(store, FeatureFiles.open(pickles, traded, true, 1)));
    }
  }

  /// Returns how far Qlib's values are from the straight line through ours, relative to their
  /// spread.
  private static double residual(FeatureStore store, Path pickles, List<String> group) {
    var columns = new FeatureColumns(group, List.of());
    List<Float> own = values(store, store.features(columns, 1));
    List<Float> theirs = values(store, FeatureFiles.open(pickles, columns, false, 1));
    assertThat(own).hasSameSizeAs(theirs);
    double n = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i) != 0 || theirs.get(i) != 0) { // not a missing value in both
        n++;
        x += own.get(i);
        y += theirs.get(i);
        xx += (double) own.get(i) * own.get(i);
        xy += (double) own.get(i) * theirs.get(i);
      }
    }
    double slope = (n * xy - x * y) / (n * xx - x * x);
    double offset = (y - slope * x) / n;
    double worst = 0;
    for (int i = 0; i < own.size(); i++) {
      if (own.get(i) != 0 || theirs.get(i) != 0) {
        double error = Math.abs(slope * own.get(i) + offset - theirs.get(i));
        worst = Math.max(worst, error / Math.max(1, Math.abs(theirs.get(i))));
      }
    }
    assertThat(n).isGreaterThan(0.9 * own.size());
    return worst;
  }

  private static List<Float> values(FeatureStore store, FeatureSource source) {
    var values = new ArrayList<Float>();
    for (String code : store.instruments()) {
      for (int day = 0; day < store.calendar().days(); day++) {
        DayFeatures features = source.day(code, store.calendar().date(day));
        for (int tick = 0; tick < features.ticks(); tick++) {
          for (int column = 0; column < features.columns().today().size(); column++) {
            values.add(features.today(tick, column));
          }
        }
      }
    }
    return values;
  }
}
