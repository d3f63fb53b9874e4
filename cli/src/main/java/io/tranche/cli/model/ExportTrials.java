package io.tranche.cli.model;

import io.tranche.analysis.Difference;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.Text;
import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.Precision;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import io.tranche.work.export.EnsembleTrial;
import io.tranche.work.export.ModelComparison;
import io.tranche.work.export.OpenedModel;
import io.tranche.work.export.Quantisation;
import java.io.PrintWriter;

/// Tries an exported model on validation orders before it is written, and prints the results.
///
/// @param out for results
/// @param err for progress and warnings
record ExportTrials(OpenedModel model, PrintWriter out, PrintWriter err) {

  /// Adds the reference statistics that a monitor needs, if the data are available.
  ModelBundle withReference(ModelBundle bundle) {
    if (!model.hasOrders()) {
      return bundle;
    }
    try {
      return bundle.with(model.orders().reference(LoadedModel.of(bundle.spec(), bundle.members())));
    } catch (DataException | ConfigException e) {
      err.println("warning: no reference statistics: " + e.getMessage());
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
    try (var progress = new Progress(err, "calibrating")) {
      quantised =
          Quantisation.of(
              bundle,
              precision,
              model.orders(),
              (done, total) -> progress.update(done, total, null));
    }
    long before = BundleFile.size(bundle);
    long after = BundleFile.size(quantised.bundle());
    out.println(
        Text.of(
            "%s: %,d bytes instead of %,d (%.0f %%)",
            precision.label(), after, before, 100.0 * after / before));
    ModelComparison trial = quantised.trial();
    print("against float32", trial);
    out.println(
        Text.of(
            "a decision takes %.1f µs, in float32 %.1f µs (indicative: the same kernels)",
            DecisionTimer.micros(LoadedModel.of(bundle.spec(), quantised.bundle().members())),
            DecisionTimer.micros(LoadedModel.of(bundle.spec(), bundle.members()))));
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
    out.println(
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
}
