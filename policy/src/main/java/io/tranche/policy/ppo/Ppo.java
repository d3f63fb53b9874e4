package io.tranche.policy.ppo;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Minibatches;
import io.tranche.policy.experience.RunningMoments;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.Optimiser;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.learn.UpdateObserver;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateReport.Series;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Proximal policy optimisation (Schulman et al., 2017): an actor and a critic on one network.
/// Qlib: `qlib.rl.order_execution.policy.PPO`.
public final class Ppo<O extends Observation> implements Algorithm<O> {

  private static final String TEACHER_LOSS = "loss/teacher";
  private static final List<String> TERMS =
      List.of("loss", "loss/clip", "loss/vf", "loss/ent", "gradient_norm", "kl");

  private final ActorCritic<O> agent;
  private final PpoConfig config;
  private final boolean hasTeacher;
  private final SlicedModel<O> sliced;
  private final PpoExperience<O> experience;
  private final PpoLoss<O> loss;
  private final Optimiser optimiser;
  private final Minibatches minibatches = new Minibatches();
  private UpdateObserver observer = UpdateObserver.NONE;

  /// @param agent the agent to improve
  /// @param parallel runs the work; the caller closes it
  public Ppo(ActorCritic<O> agent, PpoConfig config, ParallelFor parallel) {
    this(agent, config, null, parallel);
  }

  /// Makes a student for oracle policy distillation (OPD).
  ///
  /// @param distillation the teacher; null for none
  public Ppo(
      ActorCritic<O> agent,
      PpoConfig config,
      @Nullable Distillation<O> distillation,
      ParallelFor parallel) {
    this.agent = agent;
    this.config = config;
    this.hasTeacher = distillation != null;
    this.sliced = new SlicedModel<>(agent.model(), parallel);
    this.experience = new PpoExperience<>(config, sliced, agent.actions(), distillation);
    this.loss =
        new PpoLoss<>(
            config, experience, agent.actions(), distillation == null ? 0 : distillation.weight());
    this.optimiser = new Optimiser(agent.model().weights(), config.optimiser(), config.maxNorm());
  }

  public PpoConfig config() {
    return config;
  }

  @Override
  public ActorCritic<O> agent() {
    return agent;
  }

  @Override
  public boolean isOffPolicy() {
    return false;
  }

  @Override
  public UpdateReport update(Transitions<O> steps, UpdateSettings settings, long key) {
    prepare(steps);
    return learn(
        steps,
        settings.repeat(),
        (repeat, target) ->
            target.shuffle(
                steps, settings.batching(), settings.batchSize(), RandomTree.child(key, repeat)));
  }

  /// Computes values, advantages and returns of `steps`: the first half of an update.
  public void prepare(Transitions<O> steps) {
    experience.begin(steps);
  }

  /// Learns from the prepared `steps`: the second half of an update.
  ///
  /// The report has, besides the losses, `kl`: the divergence of the policy from the one that chose
  /// the actions, before each minibatch's step. It is estimated from the ratio r of their
  /// probabilities that the loss has anyway: the mean of (r - 1) - log r, which is never negative,
  /// has the divergence as its mean, and varies less than that of -log r.
  ///
  /// @param order chooses the minibatches before each repeat
  public UpdateReport learn(Transitions<O> steps, int repeats, Minibatches.Order order) {
    var names = new ArrayList<>(TERMS);
    if (hasTeacher) {
      names.add(TEACHER_LOSS);
    }
    var report = new Series(names.toArray(String[]::new));
    for (int repeat = 0; repeat < repeats; repeat++) {
      if (repeat > 0 && config.recomputesAdvantages()) {
        experience.computeAdvantages();
      }
      order.arrange(repeat, minibatches);
      for (int i = 0; i < minibatches.count(); i++) {
        learn(steps, minibatches.rows(), minibatches.start(i), minibatches.end(i), report);
      }
    }
    return report.toReport();
  }

  private void learn(Transitions<O> steps, int[] rows, int from, int to, Series report) {
    int number = report.size();
    loss.begin(rows, from, to);
    float[] gradients = sliced.gradients(steps, rows, from, to, loss);
    double clip = loss.mean(PpoLoss.CLIP);
    double value = loss.mean(PpoLoss.VALUE);
    double entropy = loss.mean(PpoLoss.ENTROPY);
    optimiser.check("loss/clip", clip, number);
    optimiser.check("loss/vf", value, number);
    optimiser.check("loss/ent", entropy, number);
    double teacher = loss.mean(PpoLoss.TEACHER);
    optimiser.check(TEACHER_LOSS, teacher, number);
    observer.gradients(number, gradients);
    double norm = optimiser.step(gradients, number);
    report.put(loss.total());
    report.put(clip);
    report.put(value);
    report.put(entropy);
    report.put(norm);
    report.put(loss.mean(PpoLoss.KL));
    if (hasTeacher) {
      report.put(teacher);
    }
  }

  /// Returns the values computed from the steps that were prepared last.
  public PpoExperience<O> experience() {
    return experience;
  }

  /// Passes the gradients of each later update to `watcher`.
  public void observe(UpdateObserver watcher) {
    observer = watcher;
  }

  /// Sets whether to stop at NaN, which is the default, or to continue, as Qlib does.
  public void stopOnDivergence(boolean stop) {
    optimiser.stopOnDivergence(stop);
  }

  @Override
  public AlgorithmState state() {
    var tensors = new LinkedHashMap<String, Tensor>();
    var numbers = new LinkedHashMap<String, Double>();
    optimiser.save(tensors, numbers);
    RunningMoments returns = experience.moments();
    numbers.put("returns.mean", returns.mean());
    numbers.put("returns.variance", returns.variance());
    numbers.put("returns.count", returns.count());
    return new AlgorithmState(new StateDict(tensors), numbers);
  }

  @Override
  public void restore(AlgorithmState state) {
    optimiser.restore(state);
    experience
        .moments()
        .restore(
            state.number("returns.mean"),
            state.number("returns.variance"),
            state.number("returns.count"));
  }
}
