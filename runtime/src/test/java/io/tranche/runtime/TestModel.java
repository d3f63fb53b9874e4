package io.tranche.runtime;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Models with random weights, drawn so large that their choices differ.
record TestModel(
    ModelSpec spec,
    List<Agent<FullHistoryObservation>> agents,
    ActionInterpreter<ExecutionState, ChildOrder> actions) {

  static final FeatureColumns COLUMNS =
      new FeatureColumns(
          List.of("$close", "$high", "$low", "$volume"),
          List.of("$close_1", "$high_1", "$low_1", "$volume_1"));

  static final String RECURRENT = "{class: RecurrentNetwork, kwargs: {hidden: 12, output: 7}}";
  static final String PPO = "{class: Ppo, kwargs: {learning_rate: 0.001}}";
  static final String SHARES = "{class: CategoricalInterpreter, kwargs: {shares: 4}}";

  static ModelSpec spec(String network, String policy, String actions) {
    return ModelSpec.of(
        node("network", network),
        node("policy", policy),
        node("actions", actions),
        new GivenFeatures(COLUMNS));
  }

  static ModelSpec plainSpec() {
    return spec(RECURRENT, PPO, SHARES);
  }

  static ModelSpec over(
      ModelSpec spec, Session session, Frequency frequency, int ticksPerStep, boolean mirrors) {
    int ticks = session.barStarts(frequency).length;
    return spec.withBars(session, frequency)
        .withSteps(Math.ceilDiv(ticks, ticksPerStep), ticksPerStep)
        .withMirrors(mirrors);
  }

  private static ConfigNode node(String name, String text) {
    return ConfigFiles.parse(name, text);
  }

  static TestModel draw(ModelSpec spec, int members, long seed) {
    var actions = ExecutionCatalog.actionInterpreters().make(ComponentSpec.from(spec.actions()));
    AgentSpec<FullHistoryObservation> agent = spec.agent(actions.actionSpace());
    var random = new SplittableRandom(seed);
    var drawn = new ArrayList<Agent<FullHistoryObservation>>();
    for (int i = 0; i < members; i++) {
      drawn.add(agent.create(random));
      Weights weights = drawn.getLast().weights().parts().getFirst().weights();
      for (int j = 0; j < weights.size(); j++) {
        weights.values()[j] *= 2.5f;
      }
      weights.changed();
    }
    return new TestModel(spec, drawn, actions);
  }

  LoadedModel load() {
    return LoadedModel.of(spec, agents.stream().map(each -> each.weights().stateDict()).toList());
  }

  DecisionRuntime newRuntime() {
    return new DecisionRuntime(load());
  }
}
