package io.tranche.examples.java;

import io.tranche.env.Observation;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.UpdateContext;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import java.util.LinkedHashMap;
import java.util.List;

/// An algorithm of your own around another one: it sees how far the run is, makes fewer passes over
/// the experience towards its end, and logs that.
record LoggingPpo<O extends Observation>(Algorithm<O> inner) implements Algorithm.Around<O> {

  static <O extends Observation> AgentSpec.Maker<O> maker(PpoConfig config) {
    return (network, context) ->
        PpoSpec.<O>maker(config).make(network, context).improvedBy(LoggingPpo::new);
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
}
