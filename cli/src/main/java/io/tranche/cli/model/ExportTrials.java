package io.tranche.cli.model;

import io.tranche.analysis.Difference;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.Text;
import io.tranche.config.ConfigException;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.policy.weights.Precision;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import io.tranche.work.export.EnsembleTrial;
import io.tranche.work.export.ModelComparison;
import io.tranche.work.export.OpenedModel;
import io.tranche.work.export.Quantisation;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/// Tries an exported model on validation orders before it is written, and prints the results.
record ExportTrials(OpenedModel model, Console console) {

  private static final LocalDate DATE = LocalDate.of(2000, 1, 3);
  private static final int DAYS = 10;
  private static final int ORDERS = 70;

  /// Adds the reference statistics that a monitor needs, if the data are available.
  ModelBundle withReference(ModelBundle bundle) {
    if (!model.hasOrders()) {
      return bundle;
    }
    try {
      return bundle.with(model.orders().reference(LoadedModel.of(bundle.spec(), bundle.members())));
    } catch (DataException | ConfigException e) {
      console.warn("no reference statistics: " + e.getMessage());
      return bundle;
    }
  }

  /// Compares an ensemble with its best member.
  void compareWithBest(ModelBundle bundle) {
    if (bundle.members().size() > 1 && model.hasOrders()) {
      EnsembleTrial ensemble = EnsembleTrial.of(bundle, model.orders());
      print(
          "against its best member, " + bundle.lineage().sources().get(ensemble.best()).file(),
          ensemble.trial());
    }
  }

  /// Returns the model in fewer bytes, unless too many decisions would change.
  ///
  /// @param agreement the smallest accepted share of equal choices
  /// @param force whether to accept it in any case
  /// @throws ConfigException if fewer choices agree
  ModelBundle quantised(ModelBundle bundle, Precision precision, double agreement, boolean force) {
    Quantisation.Quantised quantised;
    try (var progress = console.progress("calibrating")) {
      quantised =
          Quantisation.of(
              bundle,
              precision,
              model.orders(),
              (done, total) -> progress.update(done, total, null));
    }
    long before = BundleFile.size(bundle);
    long after = BundleFile.size(quantised.bundle());
    console
        .out()
        .println(
            Text.of(
                "%s: %,d bytes instead of %,d (%.0f %%)",
                precision.label(), after, before, 100.0 * after / before));
    ModelComparison trial = quantised.trial();
    print("against float32", trial);
    LoadedModel small = LoadedModel.of(bundle.spec(), quantised.bundle().members());
    LoadedModel whole = LoadedModel.of(bundle.spec(), bundle.members());
    console
        .out()
        .println(
            Text.of(
                "a decision takes %.1f µs, in float32 %.1f µs (indicative); weights take %,d kB in memory, in float32 %,d kB",
                micros(small),
                micros(whole),
                small.weightBytes() / 1000,
                whole.weightBytes() / 1000));
    if (!(trial.agreement() >= agreement) && !force) {
      throw new ConfigException(
          "--quantize",
          "an agreement of at least %s, or --force".formatted(agreement),
          Text.of("%.4f", trial.agreement()));
    }
    return quantised.bundle();
  }

  private void print(String what, ModelComparison trial) {
    Difference change = trial.change();
    console
        .out()
        .println(
            Text.of(
                "%s: %.2f %% of %,d decisions agree; advantage %+.2f bps%s on %,d validation orders",
                what,
                100 * trial.agreement(),
                trial.decisions(),
                change.meanBps(),
                interval(change),
                change.orders()));
  }

  private static String interval(Difference change) {
    return Double.isNaN(change.low())
        ? " (one day: no interval)"
        : Text.of(" (95 %% %+.2f to %+.2f, %d days)", change.low(), change.high(), change.days());
  }

  /// Measures roughly how long a decision takes in this process: returns the microseconds per
  /// decision on the best of some days of made-up orders, about a second of them, on a machine that
  /// is not idle.
  private static double micros(LoadedModel model) {
    model.warmUp();
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < DAYS; i++) {
      best = Math.min(best, day(new DecisionRuntime(model)));
    }
    return best;
  }

  private static double day(DecisionRuntime runtime) {
    LiveDay day = runtime.openDay("timing", DATE, List.of());
    LocalDateTime start = BarTime.dateTime(day.time(0));
    LocalDateTime end = BarTime.dateTime(day.time(day.allTicks() - 1) + 1);
    for (int i = 0; i < ORDERS; i++) {
      day.openOrder("" + i, Side.SELL, 1, start, end);
    }
    long[] decisions = new long[1];
    long nanos = 0;
    for (int tick = 0; tick < day.allTicks(); tick++) {
      long from = System.nanoTime();
      runtime.decideAll(_ -> decisions[0]++);
      nanos += System.nanoTime() - from;
      day.skipTo(day.time(tick) + 1);
    }
    return nanos / 1e3 / Math.max(1, decisions[0]);
  }
}
