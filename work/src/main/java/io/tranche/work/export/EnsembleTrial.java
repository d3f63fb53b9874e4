package io.tranche.work.export;

import io.tranche.policy.weights.StateDict;
import io.tranche.run.play.PolicyResults;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import java.util.List;

/// How an ensemble compares with the best of its members.
///
/// @param best which member has the largest mean advantage on these orders, by its place
public record EnsembleTrial(int best, ModelComparison trial) {

  /// Tries every member, then all together.
  public static EnsembleTrial of(ModelBundle bundle, ValidationOrders orders) {
    int best = 0;
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < bundle.members().size(); i++) {
      PolicyResults results = orders.run("member " + i, member(bundle, i));
      double mean = results.meanBps(null);
      if (mean > highest) {
        best = i;
        highest = mean;
      }
    }
    LoadedModel together = LoadedModel.of(bundle.spec(), bundle.members());
    return new EnsembleTrial(best, orders.compare(together, member(bundle, best)));
  }

  private static LoadedModel member(ModelBundle bundle, int index) {
    List<StateDict> one = List.of(bundle.members().get(index));
    return LoadedModel.of(bundle.spec(), one);
  }
}
