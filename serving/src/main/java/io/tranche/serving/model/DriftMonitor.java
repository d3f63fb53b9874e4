package io.tranche.serving.model;

import io.tranche.runtime.LiveDay;
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
  private long rows;
  private long decisions;
  private DriftReport report;

  /// @param alarm receives the report of every window that exceeds a limit
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
            : new DriftReport(true, Double.NaN, null, Double.NaN, false);
  }

  public synchronized DriftReport report() {
    return report;
  }

  /// Adds the ticks of a day from `from` on.
  void saw(LiveDay day, int from) {
    if (reference == null) {
      return;
    }
    DriftReport beyond = null;
    synchronized (this) {
      for (int tick = from; tick < day.ticks(); tick++, rows++) {
        for (int column = 0; column < sums.length; column++) {
          sums[column] += day.feature(tick, column);
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
    Arrays.fill(sums, 0);
    rows = 0;
    update(worst, columns.get(at), report.actionIndex());
    return worst > rules.featureLimit() ? report : null;
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
    double index = 0;
    for (int i = 0; i < choices.length; i++) {
      double live = Math.max((double) choices[i] / decisions, SMALLEST_SHARE);
      double expected = Math.max(against.actions().get(i), SMALLEST_SHARE);
      index += (live - expected) * Math.log(live / expected);
    }
    Arrays.fill(choices, 0);
    decisions = 0;
    update(report.featureShift(), report.feature(), index);
    return index > rules.actionLimit() ? report : null; // the features had their own alarm
  }

  private void update(double shift, @Nullable String feature, double index) {
    boolean isBeyond = shift > rules.featureLimit() || index > rules.actionLimit();
    report = new DriftReport(true, shift, feature, index, isBeyond);
  }
}
