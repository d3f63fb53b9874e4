package io.tranche.serving.model;

import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ReferenceStatistics;
import io.tranche.serving.DriftReport;
import io.tranche.serving.ServiceConfig;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Compares a model's inputs and choices with its [ReferenceStatistics], one window at a time. Any
/// thread may report.
public final class DriftMonitor {

  private static final double SMALLEST_SHARE = 1e-4;
  private static final double SMALLEST_DEVIATION = 1e-6;

  private final ServiceConfig.DriftRules rules;
  private final @Nullable ReferenceStatistics reference;
  private final List<String> columns;
  private final Consumer<DriftReport> alarm;
  private final double[] sums;
  private final long[] choices;

  /// Edges between bins and counts of values per feature; the last bin is for what is no number.
  private final double[][] edges;

  private final long[][] bins;
  private long rows;
  private long decisions;
  private DriftReport report;

  /// @param alarm receives the report of every window that exceeds a limit, and of the first one
  ///   that is well again
  public DriftMonitor(
      ServiceConfig.DriftRules rules, LoadedModel model, Consumer<DriftReport> alarm) {
    this.rules = rules;
    this.reference = model.reference();
    this.columns = model.spec().features().columns().today();
    this.alarm = alarm;
    this.sums = new double[columns.size()];
    this.choices = new long[reference == null ? 0 : reference.actions().size()];
    this.report =
        reference == null
            ? DriftReport.NO_REFERENCE
            : new DriftReport(true, Double.NaN, null, Double.NaN, false, Double.NaN);
    this.edges = new double[hasBins() ? columns.size() : 0][];
    this.bins = new long[edges.length][];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = features().get(i).edges().stream().mapToDouble(Double::doubleValue).toArray();
      bins[i] = new long[edges[i].length + 2];
    }
  }

  private List<ReferenceStatistics.Feature> features() {
    return reference == null ? List.of() : reference.features();
  }

  /// Whether the bundle says how features are distributed; older ones have only means.
  public boolean hasBins() {
    return reference != null
        && reference.features().stream().noneMatch(each -> each.shares().isEmpty());
  }

  public synchronized DriftReport report() {
    return report;
  }

  /// The features of a day.
  @FunctionalInterface
  interface Features {
    float at(int tick, int column);
  }

  /// Adds the ticks of a day from `from` to `to` - 1.
  void saw(Features day, int from, int to) {
    if (reference == null) {
      return;
    }
    DriftReport beyond = null;
    synchronized (this) {
      for (int tick = from; tick < to; tick++, rows++) {
        for (int column = 0; column < sums.length; column++) {
          float value = day.at(tick, column);
          sums[column] += value;
          if (column < edges.length) {
            double[] between = edges[column];
            int bin =
                Float.isNaN(value)
                    ? between.length + 1
                    : ReferenceStatistics.Feature.bin(between, value);
            bins[column][bin]++;
          }
        }
      }
      if (rows >= rules.rows()) {
        beyond = closeRows(reference);
      }
    }
    tell(beyond);
  }

  private void tell(@Nullable DriftReport beyond) {
    if (beyond != null) {
      alarm.accept(beyond);
    }
  }

  private @Nullable DriftReport closeRows(ReferenceStatistics against) {
    double worst = -1;
    int at = 0;
    for (int i = 0; i < sums.length; i++) {
      ReferenceStatistics.Feature expected = against.features().get(i);
      double deviation = Math.max(expected.deviation(), SMALLEST_DEVIATION);
      double shift = Math.abs(sums[i] / rows - expected.mean()) / deviation;
      if (!(shift <= worst)) { // a feature that is not a number has drifted as far as it can
        worst = Double.isNaN(shift) ? Double.POSITIVE_INFINITY : shift;
        at = i;
      }
    }
    double index = edges.length == 0 ? Double.NaN : 0;
    for (int i = 0; i < edges.length; i++) {
      double other = index(bins[i], rows, against.features().get(i).shares());
      if (other > index) {
        index = other;
        at = worst <= rules.featureLimit() ? i : at;
      }
      Arrays.fill(bins[i], 0);
    }
    Arrays.fill(sums, 0);
    rows = 0;
    boolean isBeyond = worst > rules.featureLimit() || index > rules.actionLimit();
    return update(worst, columns.get(at), report.actionIndex(), index, isBeyond);
  }

  /// Returns the population stability index of counts against shares; what has no share had none.
  private static double index(long[] counts, long all, List<Double> shares) {
    double index = 0;
    for (int i = 0; i < counts.length; i++) {
      double live = Math.max((double) counts[i] / all, SMALLEST_SHARE);
      double expected = Math.max(i < shares.size() ? shares.get(i) : 0, SMALLEST_SHARE);
      index += (live - expected) * Math.log(live / expected);
    }
    return index;
  }

  /// Adds a choice of the model.
  void chose(int choice) {
    DriftReport beyond = null;
    synchronized (this) {
      if (reference == null || choice < 0 || choice >= choices.length) {
        return;
      }
      choices[choice]++;
      if (++decisions >= rules.decisions()) {
        beyond = closeDecisions(reference);
      }
    }
    tell(beyond);
  }

  private @Nullable DriftReport closeDecisions(ReferenceStatistics against) {
    double index = index(choices, decisions, against.actions());
    Arrays.fill(choices, 0);
    decisions = 0;
    return update(
        report.featureShift(),
        report.feature(),
        index,
        report.featureIndex(),
        index > rules.actionLimit());
  }

  /// @param isBeyond whether the window that ended exceeds a limit; the others had their own alarm
  /// @return the report, if this window raises an alarm or ends all
  private @Nullable DriftReport update(
      double shift, @Nullable String feature, double actions, double index, boolean isBeyond) {
    boolean wasAlarmed = report.isAlarmed();
    boolean isAlarmed =
        shift > rules.featureLimit()
            || index > rules.actionLimit()
            || actions > rules.actionLimit();
    report = new DriftReport(true, shift, feature, actions, isAlarmed, index);
    return isBeyond || (wasAlarmed && !isAlarmed) ? report : null;
  }
}
