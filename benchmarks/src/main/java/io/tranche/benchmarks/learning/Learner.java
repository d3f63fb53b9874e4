package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Generated;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Scores;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.weights.StateDict;
import java.util.List;

/// PPO with Qlib's defaults on Qlib's default network, learning from one experience again and
/// again, all of it in one minibatch.
final class Learner implements AutoCloseable {

  /// As in Qlib's example.
  static final double LEARNING_RATE = 1e-4;

  private static final RecurrentConfig NETWORK = RecurrentConfig.DEFAULT;

  private final Experience experience;
  private final ParallelFor parallel;
  private final Ppo<FullHistoryObservation> ppo;
  private int repeat;

  Learner(Experience experience, int threads) {
    this(experience, threads, Recurrent.factory(NETWORK, Experience.FEATURES));
  }

  Learner(Experience experience, int threads, Network.Factory<FullHistoryObservation> network) {
    this.experience = experience;
    parallel = new ParallelFor(threads);
    ppo =
        new Ppo<>(
            ActorCritic.create(network, Experience.CHOICES, RandomTree.generator(1)),
            PpoConfig.QLIB.withLearningRate(LEARNING_RATE),
            parallel);
    ppo.prepare(experience.steps());
  }

  /// Returns a copy of the weights as they are now, under Qlib's names.
  StateDict weights() {
    return ppo.agent().weights().stateDict();
  }

  Policy<FullHistoryObservation> newPolicy(int maxRows) {
    return ppo.agent().newPolicy(maxRows);
  }

  /// Returns the mean probability of each choice over all of these.
  double[] shares(List<List<FullHistoryObservation>> batches) {
    Scores<FullHistoryObservation> scores = ppo.agent().newScores(batches.getFirst().size());
    double[] shares = new double[Experience.CHOICES];
    int rows = 0;
    for (List<FullHistoryObservation> batch : batches) {
      float[] all = scores.of(batch);
      for (int i = 0; i < batch.size() * shares.length; i++) {
        shares[i % shares.length] += all[i];
      }
      rows += batch.size();
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= rows;
    }
    return shares;
  }

  /// Forward, loss, backward, clipping and a step of Adam.
  UpdateReport learn() {
    Transitions<FullHistoryObservation> steps = experience.steps();
    long key = RandomTree.child(2, repeat++);
    UpdateReport report =
        ppo.learn(
            steps, 1, (_, target) -> target.shuffle(steps, Batching.EPISODES, steps.size(), key));
    Generated.requireRows(1, report.series().getOrDefault("loss", List.of()).size());
    return report;
  }

  /// Returns the additions and multiplications of [#learn] that are part of matrix products.
  ///
  /// A product takes as many again for the gradients of its weights, and for those of its inputs
  /// unless these are data. The day is counted once per order, up to the last tick that is read.
  /// The layers of the side, two rows each, are left out, as is everything but products.
  double flop() {
    int hidden = NETWORK.hidden();
    double gates = 3 * (hidden + hidden) * hidden;
    double tick = 2 * Experience.FEATURES * hidden + 3 * gates;
    double decision = 2 * 2 * hidden + 3 * gates;
    int output = NETWORK.output();
    double heads = 3 * (3 * hidden * hidden + hidden * output + output * (Experience.CHOICES + 1));
    double orders = experience.orders();
    return 2 * orders * (experience.ticksRun() * tick + Experience.DECISIONS * (decision + heads));
  }

  @Override
  public void close() {
    parallel.close();
  }
}
