package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import java.util.List;

/// Chooses by the probabilities of a model's first head: samples in training, takes the likeliest
/// in evaluation. For one thread. Hot path: allocates only when the number of observations changes.
public final class CategoricalPolicy<O extends Observation> implements Policy<O> {

  private final Model<O>.Evaluation evaluation;
  private final boolean deterministicEvaluation;
  private final Choices choices;

  public CategoricalPolicy(Model<O> model, int maxRows, boolean deterministicEvaluation) {
    this.evaluation = model.newEvaluation(maxRows);
    this.deterministicEvaluation = deterministicEvaluation;
    this.choices = new Choices(model.width(0));
  }

  @Override
  public void expect(List<O> observations) {
    evaluation.expect(observations);
  }

  @Override
  public Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
    int count = observations.size();
    choices.begin(count);
    for (int from = 0; from < count; from += evaluation.maxRows()) {
      int to = Math.min(count, from + evaluation.maxRows());
      List<O> part = to - from == count ? observations : observations.subList(from, to);
      choose(part, from, drawKeys, mode);
    }
    return choices.actions();
  }

  private void choose(List<O> part, int from, long[] drawKeys, Mode mode) {
    evaluation.evaluate(part);
    Rows probabilities = evaluation.output(0);
    int width = choices.width();
    Softmax.forward(part.size(), width, probabilities);
    boolean draws = mode == Mode.TRAIN || !deterministicEvaluation;
    for (int i = 0; i < part.size(); i++) {
      int at = probabilities.offset(i);
      float[] data = probabilities.data();
      choices.set(
          from + i,
          draws
              ? Categorical.draw(data, at, width, RandomTree.uniform(drawKeys[from + i]))
              : Categorical.likeliest(data, at, width));
    }
  }
}
