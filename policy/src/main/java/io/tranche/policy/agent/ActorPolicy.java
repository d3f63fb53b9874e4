package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.List;

/// Acts by the distribution whose parameters are the outputs of a model's first head: samples in
/// training, takes the best action in evaluation. For one thread. Hot path: for choices allocates
/// only when the number of observations changes.
public final class ActorPolicy<O extends Observation> implements Policy<O> {

  private final Model<O>.Evaluation evaluation;
  private final ActionDistribution distribution;
  private final boolean deterministicEvaluation;
  private Action[] actions = new Action[0];

  public ActorPolicy(
      Model<O> model,
      ActionDistribution distribution,
      int maxRows,
      boolean deterministicEvaluation) {
    this.evaluation = model.newEvaluation(maxRows);
    this.distribution = distribution;
    this.deterministicEvaluation = deterministicEvaluation;
  }

  @Override
  public void expect(List<O> observations) {
    evaluation.expect(observations);
  }

  @Override
  public Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
    int count = observations.size();
    if (actions.length != count) {
      actions = new Action[count];
    }
    for (int from = 0; from < count; from += evaluation.maxRows()) {
      int to = Math.min(count, from + evaluation.maxRows());
      List<O> part = to - from == count ? observations : observations.subList(from, to);
      choose(part, from, drawKeys, mode);
    }
    return actions;
  }

  private void choose(List<O> part, int from, long[] drawKeys, Mode mode) {
    evaluation.evaluate(part);
    Rows parameters = evaluation.output(0);
    distribution.read(part.size(), parameters);
    boolean draws = mode == Mode.TRAIN || !deterministicEvaluation;
    for (int i = 0; i < part.size(); i++) {
      int at = parameters.offset(i);
      actions[from + i] =
          draws
              ? distribution.draw(parameters.data(), at, drawKeys[from + i])
              : distribution.best(parameters.data(), at);
    }
  }
}
