package io.tranche.market.feature.pipeline;

import io.tranche.files.StagedFolder;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.pickle.HandlerPickle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Writes a feature store as the files that Qlib's `gen_pickle_data.py` writes and its training and
/// backtest read: `feature/<stock>.pkl` and `backtest/<stock>.pkl`.
public final class FeaturePickles {

  private FeaturePickles() {}

  /// Writes the folder; nothing is visible at `target` before it is complete.
  ///
  /// @throws DataException if `target` is not new or empty, or the name of an instrument cannot be
  ///   a file name
  public static void write(FeatureStore store, Path target, FeatureProgress progress)
      throws IOException {
    requireFree(target);
    try (StagedFolder staged = StagedFolder.create(target)) {
      Path features = Files.createDirectories(staged.folder().resolve("feature"));
      Path prices = Files.createDirectories(staged.folder().resolve("backtest"));
      List<String> instruments = store.instruments();
      for (int i = 0; i < instruments.size(); i++) {
        progress.at("pickles", i, instruments.size());
        String code = DataException.requireFileName("instrument", instruments.get(i));
        FeatureConfig config = store.config();
        pickle(store, HandlerPickle.FEATURES, store.bars(), code, store.featureExpressions())
            .write(features.resolve(code + ".pkl"), config.groups());
        pickle(store, HandlerPickle.PRICES, store.prices(), code, store.backtestExpressions())
            .write(prices.resolve(code + ".pkl"), Map.of());
      }
      staged.commit();
    }
  }

  /// @throws DataException if `target` is not new or empty
  public static void requireFree(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    if (Files.isDirectory(target)) {
      try (Stream<Path> entries = Files.list(target)) {
        if (entries.findAny().isEmpty()) {
          return;
        }
      }
    }
    throw new DataException(target.toString(), "a new or empty folder", "a folder in use");
  }

  private static HandlerPickle pickle(
      FeatureStore store,
      String handler,
      BarSource bars,
      String code,
      Map<String, String> expressions) {
    BarSeries series = bars.series(code);
    FeatureConfig config = store.config();
    int dayLength =
        config.dayLength() > 0
            ? config.dayLength()
            : series.calendar().dayEnd(0) - series.calendar().dayStart(0);
    List<String> columns =
        handler.equals(HandlerPickle.FEATURES)
            ? config.prices()
            : config.backtestVwap()
                ? List.of("$close", "$vwap", "$volume")
                : List.of("$close", "$volume");
    return new HandlerPickle(
        handler,
        dayLength,
        columns,
        bars.calendar().frequency().toString(),
        List.copyOf(expressions.values()),
        List.copyOf(expressions.keySet()),
        List.of(
            new HandlerPickle.Segment("train", text(config.fitStart()), text(config.fitEnd())),
            new HandlerPickle.Segment("all", text(config.start()), text(config.end()))),
        frame(series, code, expressions));
  }

  private static String text(long time) {
    return BarTime.format(time);
  }

  static Table frame(BarSeries series, String code, Map<String, String> expressions) {
    int rows = series.size();
    long[] times = new long[rows];
    Arrays.setAll(times, row -> series.calendar().time(series.firstBar() + row));
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("instrument", new Table.Texts(new String[] {code}, new int[rows]));
    columns.put("datetime", new Table.Times(times));
    for (String name : expressions.keySet()) {
      int field = series.fields().indexOf(name.substring(1));
      float[] values = new float[rows];
      for (int row = 0; row < rows; row++) {
        values[row] = field < 0 ? Float.NaN : series.value(field, row);
      }
      columns.put(name, new Table.Singles(values));
    }
    return Table.of(columns);
  }
}
