package io.tranche.market.feature.pipeline;

import static java.util.Objects.requireNonNull;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Session;
import io.tranche.market.session.CommonCalendar;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Staged columns as series, for the writer of a store.
final class StagedSource implements BarSource {

  private final FeatureStaging staging;
  private final SequencedMap<String, StagedColumns> files;
  private final boolean isFeatures;
  private final Consumer<float[][]> finish;
  private final IdentityHashMap<StagingGroup, Calendar> windows = new IdentityHashMap<>();

  /// @param isFeatures whether the feature columns are wanted, or else those of the backtest
  /// @param finish is given the columns before they are returned
  StagedSource(
      FeatureStaging staging,
      SequencedMap<String, StagedColumns> files,
      boolean isFeatures,
      Consumer<float[][]> finish) {
    this.staging = staging;
    this.files = files;
    this.isFeatures = isFeatures;
    this.finish = finish;
    for (String code : files.keySet()) {
      windows.computeIfAbsent(staging.group(code), StagingGroup::window);
    }
  }

  /// Returns this, with the times of all sessions on one calendar if there are several.
  BarSource onOneCalendar() {
    return windows.size() == 1 ? this : new CommonCalendar(this);
  }

  @Override
  public Calendar calendar() {
    return calendar(files.firstEntry().getKey());
  }

  @Override
  public Calendar calendar(String instrument) {
    return requireNonNull(windows.get(staging.group(instrument)));
  }

  @Override
  public @Nullable Session session(String instrument) {
    return staging.group(instrument).session();
  }

  @Override
  public List<String> instruments() {
    return List.copyOf(files.keySet());
  }

  @Override
  public List<String> fields() {
    StagingGroup group = staging.groups().getFirst();
    return (isFeatures ? group.features() : group.backtest())
        .keySet().stream().map(name -> name.substring(1)).toList();
  }

  @Override
  public BarSeries series(String instrument) {
    StagedColumns staged = requireNonNull(files.get(instrument));
    StagingGroup group = staging.group(instrument);
    int split = group.features().size();
    int rows = staged.header().rows();
    float[][] columns = new float[isFeatures ? split : staged.header().columns() - split][rows];
    for (int i = 0; i < columns.length; i++) {
      staged.read(isFeatures ? i : split + i, 0, columns[i]);
    }
    finish.accept(columns);
    if (isFeatures && group.hasWholeDays()) {
      float[] volumes = new float[rows];
      staged.read(staged.header().columns() - 1, 0, volumes);
      hideAbsentDays(columns, volumes);
    }
    return BarSeries.wrap(instrument, calendar(instrument), 0, fields(), columns);
  }

  /// A day on which the instrument does not trade has no features. The last column, volume, is
  /// missing on no other.
  private static void hideAbsentDays(float[][] columns, float[] volumes) {
    for (int row = 0; row < volumes.length; row++) {
      if (Float.isNaN(volumes[row])) {
        for (float[] column : columns) {
          column[row] = Float.NaN;
        }
      }
    }
  }
}
