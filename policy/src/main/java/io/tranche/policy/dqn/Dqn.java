package io.tranche.policy.dqn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.policy.agent.ValueAgent;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Minibatches;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.Optimiser;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.learn.UpdateObserver;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateReport.Series;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Model;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Deep Q-learning (Mnih et al., 2015): learns the values of actions, as plain numbers or as
/// quantiles of their return (Dabney et al., 2018). Qlib: `qlib.rl.order_execution.policy.DQN`.
public final class Dqn<O extends Observation> implements Algorithm<O> {

  private static final String TARGET_PREFIX = "model_old.";

  private final DqnConfig config;
  private final ValueAgent<O> agent;
  private final @Nullable Weights target;
  private final SlicedModel<O> sliced;
  private final DqnTargets<O> targets;
  private final DqnLoss<O> loss;
  private final Optimiser optimiser;
  private final Minibatches minibatches = new Minibatches();
  private UpdateObserver observer = UpdateObserver.NONE;

  /// @param agent the agent to improve
  /// @param parallel runs the work; the caller closes it
  public Dqn(ValueAgent<O> agent, DqnConfig config, ParallelFor parallel) {
    this.agent = agent;
    this.config = config;
    this.sliced = new SlicedModel<>(agent.model(), parallel);
    Model<O> second = agent.target();
    this.target = second == null ? null : second.weights();
    this.targets =
        new DqnTargets<>(
            config,
            agent.values(),
            sliced,
            second == null ? sliced : new SlicedModel<>(second, parallel));
    this.loss = new DqnLoss<>(config, agent.values(), targets);
    this.optimiser = new Optimiser(agent.model().weights(), config.optimiser(), config.maxNorm());
  }

  public DqnConfig config() {
    return config;
  }

  @Override
  public ValueAgent<O> agent() {
    return agent;
  }

  /// Qlib makes a new buffer for every iteration and so learns only from the newest experience.
  @Override
  public boolean isOffPolicy() {
    return config.minibatches() > 0;
  }

  @Override
  public UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key) {
    var report = new Series("loss", "gradient_norm");
    if (experience.size() > 0) {
      targets.begin(experience);
      if (config.minibatches() == 0) {
        minibatches.sample(experience, Batching.TRANSITIONS, 0, key);
        learn(experience, report);
      }
      int count = Math.multiplyExact(config.minibatches(), settings.repeat());
      for (int i = 0; i < count; i++) {
        minibatches.sample(
            experience, settings.batching(), settings.batchSize(), RandomTree.child(key, i));
        learn(experience, report);
      }
      agent.countUpdate();
    }
    return report.toReport();
  }

  /// Learns from one minibatch.
  private void learn(Transitions<O> experience, Series report) {
    int number = report.size();
    int[] rows = minibatches.rows();
    int count = minibatches.end(0);
    targets.compute(rows, 0, count);
    // After the targets and before the step, as in tianshou.
    if (target != null && agent.steps() % config.targetInterval() == 0) {
      target.copyFrom(agent.model().weights());
    }
    loss.begin(count);
    float[] gradients = sliced.gradients(experience, rows, 0, count, loss);
    double mean = loss.mean();
    optimiser.check("loss", mean, number);
    observer.gradients(number, gradients);
    double norm = optimiser.step(gradients, number);
    agent.countStep();
    report.put(mean);
    report.put(norm);
  }

  /// Returns the targets of the last minibatch.
  public DqnTargets<O> targets() {
    return targets;
  }

  /// Passes the gradients of each later update to `watcher`.
  public void observe(UpdateObserver watcher) {
    observer = watcher;
  }

  @Override
  public AlgorithmState state() {
    var tensors = new LinkedHashMap<String, Tensor>();
    var numbers = new LinkedHashMap<String, Double>();
    optimiser.save(tensors, numbers);
    numbers.putAll(agent.actingState());
    if (target != null) {
      for (Parameter each : target.parameters()) {
        tensors.put(targetName(each), Optimiser.tensor(each, target.values()));
      }
    }
    return new AlgorithmState(new StateDict(tensors), numbers);
  }

  @Override
  public void restore(AlgorithmState state) {
    optimiser.restore(state);
    agent.restoreActing(state.numbers());
    if (target != null) {
      for (Parameter each : target.parameters()) {
        Optimiser.load(each, state.tensor(targetName(each)), target.values());
      }
      target.changed();
    }
  }

  private static String targetName(Parameter parameter) {
    return TARGET_PREFIX + parameter.name().substring(ValueAgent.PREFIX.length());
  }
}
