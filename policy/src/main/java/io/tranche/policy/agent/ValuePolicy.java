package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.List;
import java.util.function.DoubleSupplier;

/// Chooses the action with the highest value, and in training sometimes another. For one thread.
/// Hot path: allocates only when the number of observations changes.
public final class ValuePolicy<O extends Observation> implements Policy<O> {

  private final Model<O>.Evaluation evaluation;
  private final ActionValues values;
  private final DoubleSupplier epsilon;
  private final Action[] menu;
  private final double[] draws;
  private Action[] actions = new Action[0];

  /// @param epsilon the current probability of trying another action
  public ValuePolicy(Model<O> model, ActionValues values, DoubleSupplier epsilon, int maxRows) {
    this.evaluation = model.newEvaluation(maxRows);
    this.values = values;
    this.epsilon = epsilon;
    this.menu = Categorical.menu(values.choices());
    this.draws = new double[1 + values.choices()];
  }

  @Override
  public void expect(List<O> observations) {
    evaluation.expect(observations);
  }

  @Override
  public Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
    int count = observations.size();
    double tries = mode == Mode.TRAIN ? epsilon.getAsDouble() : 0;
    if (actions.length != count) {
      actions = new Action[count];
    }
    for (int from = 0; from < count; from += evaluation.maxRows()) {
      int to = Math.min(count, from + evaluation.maxRows());
      evaluation.evaluate(to - from == count ? observations : observations.subList(from, to));
      Rows outputs = evaluation.output(0);
      values.read(to - from, outputs);
      for (int i = from; i < to; i++) {
        int greedy = values.best(outputs.data(), outputs.offset(i - from));
        actions[i] = menu[tries == 0 ? greedy : explore(greedy, tries, drawKeys[i])];
      }
    }
    return actions;
  }

  private int explore(int greedy, double tries, long key) {
    for (int i = 0; i < draws.length; i++) {
      draws[i] = RandomTree.uniform(RandomTree.child(key, i));
    }
    return Exploration.choose(greedy, tries, draws);
  }
}
