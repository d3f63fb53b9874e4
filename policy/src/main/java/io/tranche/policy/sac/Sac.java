package io.tranche.policy.sac;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.SquashedGaussian;
import io.tranche.policy.experience.Minibatches;
import io.tranche.policy.experience.Slice;
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
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.Arrays;
import java.util.LinkedHashMap;

/// Soft actor-critic (Haarnoja et al., 2018): learns continuous actions from replayed experience,
/// with two critics, of which the lower counts, and a temperature that keeps the entropy.
public final class Sac<O extends Observation> implements Algorithm<O> {

  private static final String TEMPERATURE = "log_temperature";

  private final ActorCritic<O> agent;
  private final SquashedGaussian actions;
  private final SacConfig config;
  private final SlicedModel<O> actor;
  private final Critic<O> first;
  private final Critic<O> second;
  private final Optimiser actorOptimiser;
  private final Weights temperature = new Weights();
  private final Optimiser temperatureOptimiser;
  private final Minibatches minibatches = new Minibatches();
  private final double[][] sums = new double[SlicedModel.maxTasks()][2];
  private final float[][] slopes;
  private UpdateObserver observer = UpdateObserver.NONE;

  /// By row: the action taken, the action drawn last and the logarithm of its density.
  private float[] taken = new float[0];

  private float[] drawn = new float[0];
  private float[] logDensities = new float[0];
  private float[] targets = new float[0];
  private float[] lower = new float[0];
  private int[] ahead = new int[0];

  /// @param agent the agent to improve, without a critic
  /// @param network makes the critics' networks
  /// @param parallel runs the work; the caller closes it
  public Sac(
      ActorCritic<O> agent,
      SquashedGaussian actions,
      Network.Factory<O> network,
      SacConfig config,
      ParallelFor parallel) {
    this.agent = agent;
    this.actions = actions;
    this.config = config;
    this.actor = new SlicedModel<>(agent.model(), parallel);
    // The critics must depend on the seed, which the actor's weights do.
    var random = RandomTree.generator(Arrays.hashCode(agent.model().weights().values()));
    int width = actions.codeWidth();
    this.first = new Critic<>("critic1", network, width, config, random, parallel);
    this.second = new Critic<>("critic2", network, width, config, random, parallel);
    this.actorOptimiser =
        new Optimiser(agent.model().weights(), config.optimiser(), config.maxNorm());
    temperature.load(
        temperature.vector(TEMPERATURE, 1), new float[] {(float) Math.log(config.temperature())});
    this.temperatureOptimiser = new Optimiser(temperature, config.optimiser(), 0);
    this.slopes = new float[SlicedModel.maxTasks()][actions.outputs()];
  }

  @Override
  public ActorCritic<O> agent() {
    return agent;
  }

  @Override
  public boolean isOffPolicy() {
    return true;
  }

  /// Returns the current weight of the entropy.
  public double temperature() {
    return Math.exp(temperature.values()[0]);
  }

  @Override
  public UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key) {
    var report = new Series("loss/critic", "loss/actor", "entropy", "temperature", "gradient_norm");
    if (experience.size() > 0) {
      begin(experience);
      int count = Math.multiplyExact(config.minibatches(), settings.repeat());
      for (int i = 0; i < count; i++) {
        long own = RandomTree.child(key, i);
        minibatches.sample(experience, settings.batching(), settings.batchSize(), own);
        learn(experience, minibatches.rows(), minibatches.end(0), own, report);
      }
    }
    return report.toReport();
  }

  private void begin(Transitions<O> steps) {
    int size = steps.size();
    int width = actions.codeWidth();
    if (size > ahead.length) {
      taken = new float[Math.multiplyExact(size, width)];
      drawn = new float[taken.length];
      logDensities = new float[size];
      targets = new float[size];
      lower = new float[size];
      ahead = new int[size];
    }
    for (int row = 0; row < size; row++) {
      actions.encode(steps.action(row), taken, row * width);
    }
    actor.index(steps);
    first.index(actor, size);
    second.index(actor, size);
  }

  /// Learns from one minibatch.
  private void learn(Transitions<O> steps, int[] rows, int count, long key, Series report) {
    int number = report.size();
    target(steps, rows, count, RandomTree.child(key, 1));
    double criticLoss =
        (critic(first, steps, rows, count, number) + critic(second, steps, rows, count, number))
            / 2;
    double[] actorResult = actor(steps, rows, count, RandomTree.child(key, 2), number);
    double entropy = actorResult[0];
    if (config.targetEntropy() != null) {
      // Densities are per unit of an action; the target is per unit of [-1, 1].
      double wanted =
          actions.codeWidth() * (config.targetEntropy() + Math.log(actions.bounds().range() / 2));
      temperatureOptimiser.step(new float[] {(float) (entropy - wanted)}, number);
    }
    first.track();
    second.track();
    report.put(criticLoss);
    report.put(actorResult[1]);
    report.put(entropy);
    report.put(temperature());
    report.put(actorResult[2]);
  }

  /// Computes the target of each row: its reward, and after it the lower estimate of a drawn action
  /// and that action's entropy.
  private void target(Transitions<O> steps, int[] rows, int count, long key) {
    int waiting = 0;
    for (int i = 0; i < count; i++) {
      if (!steps.isTerminated(rows[i])) {
        ahead[waiting++] = rows[i];
      }
    }
    if (waiting > 0) {
      actor.evaluate(steps, ahead, waiting, true, (slice, pass, _) -> draw(slice, pass, key));
      ask(ahead, waiting, drawn);
      lowest(steps, ahead, waiting, true);
    }
    double weight = temperature();
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      double rest = steps.isTerminated(row) ? 0 : lower[row] - weight * logDensities[row];
      targets[row] = (float) (steps.reward(row) + config.discount() * rest);
    }
  }

  private void draw(Slice<O> slice, Model<O>.Pass pass, long key) {
    Rows parameters = pass.output(0);
    for (int i = 0; i < slice.size(); i++) {
      int row = slice.row(i);
      logDensities[row] =
          actions.reparameterised(
              parameters.data(),
              parameters.offset(i),
              RandomTree.child(key, row),
              drawn,
              row * actions.codeWidth());
    }
  }

  /// Asks both critics about these actions.
  private void ask(int[] rows, int count, float[] codes) {
    int width = actions.codeWidth();
    for (int i = 0; i < count; i++) {
      for (int at = rows[i] * width; at < (rows[i] + 1) * width; at++) {
        float place = SquashedGaussian.place(codes[at]);
        first.inputs().values()[at] = place;
        second.inputs().values()[at] = place;
      }
    }
  }

  private void lowest(Transitions<O> steps, int[] rows, int count, boolean next) {
    float[] one = first.values(steps, rows, count, next);
    float[] other = second.values(steps, rows, count, next);
    for (int i = 0; i < count; i++) {
      lower[rows[i]] = Math.min(one[rows[i]], other[rows[i]]);
    }
  }

  /// Moves a critic towards the targets and returns its loss.
  private double critic(Critic<O> critic, Transitions<O> steps, int[] rows, int count, int number) {
    ask(rows, count, taken);
    clear();
    float[] gradients =
        critic.gradients(
            steps,
            rows,
            0,
            count,
            (slice, pass, task) -> {
              Rows value = pass.output(0);
              Rows gradient = pass.outputGradient(0);
              for (int i = 0; i < slice.size(); i++) {
                float error = value.data()[value.offset(i)] - targets[slice.row(i)];
                gradient.data()[gradient.offset(i)] = 2 * error / count;
                sums[task][0] += (double) error * error;
              }
            });
    double loss = mean(0, count);
    critic.optimiser().check("loss/critic", loss, number);
    observer.gradients(number, gradients);
    critic.optimiser().step(gradients, number);
    return loss;
  }

  /// Moves the actor towards actions that the lower critic values, and that are surprising.
  ///
  /// @return entropy, loss and norm of the gradients
  private double[] actor(Transitions<O> steps, int[] rows, int count, long key, int number) {
    actor.evaluate(steps, rows, count, false, (slice, pass, _) -> draw(slice, pass, key));
    ask(rows, count, drawn);
    lowest(steps, rows, count, false);
    byAction(first, steps, rows, count);
    byAction(second, steps, rows, count);
    clear();
    double weight = temperature();
    int width = actions.codeWidth();
    float[] byFirst = first.inputs().gradients();
    float[] bySecond = second.inputs().gradients();
    for (int i = 0; i < count; i++) {
      for (int at = rows[i] * width; at < (rows[i] + 1) * width; at++) {
        byFirst[at] += bySecond[at];
      }
    }
    float[] gradients =
        actor.gradients(
            steps,
            rows,
            0,
            count,
            (slice, pass, task) -> {
              Rows parameters = pass.output(0);
              Rows target = pass.outputGradient(0);
              for (int i = 0; i < slice.size(); i++) {
                int row = slice.row(i);
                actions.reparameterisedSlopes(
                    parameters.data(),
                    parameters.offset(i),
                    drawn,
                    row * width,
                    weight / count,
                    byFirst,
                    row * width,
                    slopes[task]);
                System.arraycopy(
                    slopes[task], 0, target.data(), target.offset(i), actions.outputs());
                sums[task][0] -= logDensities[row];
                sums[task][1] += weight * logDensities[row] - lower[row];
              }
            });
    double loss = mean(1, count);
    actorOptimiser.check("loss/actor", loss, number);
    observer.gradients(number, gradients);
    return new double[] {mean(0, count), loss, actorOptimiser.step(gradients, number)};
  }

  /// Computes the gradients of minus the mean of the lower values by the actions.
  private void byAction(Critic<O> critic, Transitions<O> steps, int[] rows, int count) {
    critic.inputs().stopAtActions(true);
    critic.gradients(
        steps,
        rows,
        0,
        count,
        (slice, pass, _) -> {
          Rows value = pass.output(0);
          Rows gradient = pass.outputGradient(0);
          for (int i = 0; i < slice.size(); i++) {
            boolean counts = value.data()[value.offset(i)] <= lower[slice.row(i)];
            gradient.data()[gradient.offset(i)] = counts ? -1f / count : 0;
          }
        });
    critic.inputs().stopAtActions(false);
  }

  private void clear() {
    for (double[] sum : sums) {
      Arrays.fill(sum, 0);
    }
  }

  private double mean(int term, int count) {
    double sum = 0;
    for (double[] each : sums) {
      sum += each[term];
    }
    return sum / count;
  }

  /// Passes the gradients of each later minibatch to `watcher`: those of the first critic, of the
  /// second, and of the actor.
  public void observe(UpdateObserver watcher) {
    observer = watcher;
  }

  @Override
  public AlgorithmState state() {
    var tensors = new LinkedHashMap<String, Tensor>();
    var numbers = new LinkedHashMap<String, Double>();
    actorOptimiser.save(tensors, numbers);
    first.save(tensors, numbers);
    second.save(tensors, numbers);
    temperatureOptimiser.save(tensors, numbers);
    numbers.put(TEMPERATURE, (double) temperature.values()[0]);
    // The temperature may rest while the others move.
    actorOptimiser.save(tensors, numbers);
    return new AlgorithmState(new StateDict(tensors), numbers);
  }

  @Override
  public void restore(AlgorithmState state) {
    actorOptimiser.restore(state);
    first.restore(state);
    second.restore(state);
    temperatureOptimiser.restore(state);
    temperature.values()[0] = (float) state.number(TEMPERATURE);
    temperature.changed();
  }
}
