package io.tranche.examples.java;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.UpdateContext;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.weights.StateDict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// An algorithm of your own around another one: it sees how far the run is, makes fewer passes over
/// the experience towards its end, and logs that.
record LoggingPpo<O extends Observation>(AgentSpec<O> inner) implements AgentSpec<O> {

  @Override
  public Agent<O> create(RandomGenerator random) {
    return inner.create(random);
  }

  @Override
  public Agent<O> load(String where, StateDict weights) {
    return inner.load(where, weights);
  }

  @Override
  public Algorithm<O> algorithm(
      Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    return new Learner<>(inner.algorithm(agent, teacher, parallel));
  }

  private record Learner<O extends Observation>(Algorithm<O> inner) implements Algorithm<O> {

    @Override
    public Agent<O> agent() {
      return inner.agent();
    }

    @Override
    public boolean isOffPolicy() {
      return inner.isOffPolicy();
    }

    @Override
    public UpdateReport update(Transitions<O> experience, UpdateSettings settings, long key) {
      return inner.update(experience, settings, key);
    }

    @Override
    public UpdateReport update(Transitions<O> experience, UpdateContext context) {
      UpdateSettings usual = context.settings();
      int passes = Math.max(1, (int) Math.round(usual.repeat() * (1 - context.progress())));
      var settings = new UpdateSettings(usual.batchSize(), passes, usual.batching());
      var series = new LinkedHashMap<>(inner.update(experience, settings, context.key()).series());
      series.put("passes", List.of((double) passes));
      return new UpdateReport(series);
    }

    @Override
    public AlgorithmState state() {
      return inner.state();
    }

    @Override
    public void restore(AlgorithmState state) {
      inner.restore(state);
    }
  }
}
