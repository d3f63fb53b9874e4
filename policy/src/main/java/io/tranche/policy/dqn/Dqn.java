package io.tranche.policy.dqn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.agent.Scores;
import io.tranche.policy.agent.Scoring;
import io.tranche.policy.agent.ValuePolicy;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Minibatches;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.Optimiser;
import io.tranche.policy.learn.Series;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.learn.UpdateObserver;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Model;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Deep Q-learning (Mnih et al., 2015): learns what actions are worth, as numbers or as the
/// quantiles of what they may bring (Dabney et al., 2018). Qlib:
/// `qlib.rl.order_execution.policy.DQN`.
///
/// @param <O> the observation
public final class Dqn<O extends Observation> implements Algorithm<O> {

  private static final String PREFIX = "model.";
  private static final String TARGET_PREFIX = "model_old.";

  private final DqnConfig config;
  private final ActionValues values;
  private final Model<O> model;
  private final @Nullable Weights target;

  /// The version of a target that nobody has written to: it is a copy of nothing yet.
  private final long blankTarget;

  private final SlicedModel<O> sliced;
  private final DqnTargets<O> targets;
  private final DqnLoss<O> loss;
  private final Optimiser optimiser;
  private final Minibatches minibatches = new Minibatches();
  private UpdateObserver observer = UpdateObserver.NONE;
  private long updates;
  private long steps;

  /// @param choices how many actions there are
  /// @param parallel does the work; stays the caller's
  public Dqn(Network.Factory<O> network, int choices, DqnConfig config, ParallelFor parallel) {
    this.config = config;
    this.values = new ActionValues(choices, config);
    this.model = model(network);
    this.sliced = new SlicedModel<>(model, parallel);
    SlicedModel<O> estimator = sliced;
    if (config.targetInterval() > 0) {
      Model<O> second = model(network);
      estimator = new SlicedModel<>(second, parallel);
      target = second.weights();
      blankTarget = target.version();
    } else {
      target = null;
      blankTarget = 0;
    }
    this.targets = new DqnTargets<>(config, values, sliced, estimator);
    this.loss = new DqnLoss<>(config, values, targets);
    this.optimiser = new Optimiser(model.weights(), config.optimiser(), config.maxNorm());
  }

  private Model<O> model(Network.Factory<O> network) {
    return new Model<>(
        network,
        PREFIX + "extractor.",
        List.of(new Model.Head(PREFIX + "layer_out.0", values.width())));
  }

  public DqnConfig config() {
    return config;
  }

  /// Returns what gives the values.
  public Model<O> model() {
    return model;
  }

  @Override
  public Weights weights() {
    return model.weights();
  }

  @Override
  public PolicyWeights policyWeights() {
    copyToBlankTarget();
    return target == null
        ? PolicyWeights.dqn(model.weights())
        : PolicyWeights.dqn(model.weights(), target);
  }

  /// Returns the weights that targets are estimated with, under the same names, or null if there
  /// are no others; as long as nobody writes to them, the first update begins with a copy.
  public @Nullable Weights targetWeights() {
    return target;
  }

  /// Returns the probability of trying another action, as it is now.
  public double epsilon() {
    Exploration exploration = config.exploration();
    return exploration.at(
        switch (exploration.clock()) {
          case UPDATES -> updates;
          case STEPS -> steps;
        });
  }

  /// Returns how many minibatches were learnt from.
  public long steps() {
    return steps;
  }

  @Override
  public void initialise(RandomGenerator random) {
    model.initialise(random);
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    return new ValuePolicy<>(model, values, this::epsilon, maxRows);
  }

  @Override
  public LivePolicy newLivePolicy(int maxRows) {
    return new LivePolicy(model, values.choices(), maxRows, scoring());
  }

  @Override
  public Scores<O> newScores(int maxRows) {
    return new Scores<>(model, values.choices(), maxRows, scoring());
  }

  private Scoring scoring() {
    return (count, outputs, scores) -> {
      values.read(count, outputs);
      for (int row = 0; row < count; row++) {
        values.score(outputs.data(), outputs.offset(row), scores, row * values.choices());
      }
    };
  }

  /// Qlib makes a new buffer for every iteration, and so learns from the newest experience only.
  @Override
  public boolean isOffPolicy() {
    return config.minibatches() > 0;
  }

  @Override
  public UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key) {
    var report = new Series("loss", "gradient_norm");
    if (experience.size() > 0) {
      copyToBlankTarget();
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
      updates++;
    }
    return report.toReport();
  }

  /// Learns from one minibatch.
  private void learn(Transitions<O> experience, Series report) {
    int number = report.size();
    int[] rows = minibatches.rows();
    int count = minibatches.end(0);
    targets.compute(rows, 0, count);
    // After the targets and before the step, as tianshou does it.
    if (target != null && steps % config.targetInterval() == 0) {
      target.copyFrom(model.weights());
    }
    loss.begin(count);
    float[] gradients = sliced.gradients(experience, rows, 0, count, loss);
    double mean = loss.mean();
    optimiser.check("loss", mean, number);
    observer.gradients(number, gradients);
    double norm = optimiser.step(gradients, number);
    steps++;
    report.put(mean);
    report.put(norm);
  }

  private void copyToBlankTarget() {
    if (target != null && target.version() == blankTarget) {
      target.copyFrom(model.weights());
    }
  }

  /// Returns the targets of the last minibatch.
  public DqnTargets<O> targets() {
    return targets;
  }

  /// Lets `watcher` see into the updates from now on.
  public void observe(UpdateObserver watcher) {
    observer = watcher;
  }

  @Override
  public AlgorithmState state() {
    copyToBlankTarget();
    var tensors = new LinkedHashMap<String, Tensor>();
    var numbers = new LinkedHashMap<String, Double>();
    optimiser.save(tensors, numbers);
    numbers.put("updates", (double) updates);
    numbers.put("steps", (double) steps);
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
    restoreActing(state);
    if (target != null) {
      for (Parameter each : target.parameters()) {
        Optimiser.load(each, state.tensor(targetName(each)), target.values());
      }
      target.changed();
    }
  }

  /// How often another action is tried depends on how much was learnt.
  @Override
  public AlgorithmState actingState() {
    return new AlgorithmState(
        new StateDict(Map.of()), Map.of("updates", (double) updates, "steps", (double) steps));
  }

  @Override
  public void restoreActing(AlgorithmState state) {
    updates = (long) state.number("updates");
    steps = (long) state.number("steps");
  }

  private static String targetName(Parameter parameter) {
    return TARGET_PREFIX + parameter.name().substring(PREFIX.length());
  }
}
