package io.tranche.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.Agent;
import io.tranche.runtime.ModelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Graphs of models with continuous actions in ONNX Runtime, against our own engine.
class OnnxContinuousTest {

  private static final int STEPS = 8;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}             | Ppo, head: gaussian
          {class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}             | Ppo, head: beta
          {class: QuoteInterpreter, kwargs: {max_offset_bps: 5, max_rate: 4}} | Ppo, head: gaussian
          {class: QuoteInterpreter, kwargs: {max_offset_bps: 5, max_rate: 4}} | Ppo, head: beta
          {class: QuoteInterpreter, kwargs: {max_offset_bps: 5, max_rate: 4}} | Sac, hidden: 4
          """)
  void saysWhatOurEngineSays(String actions, String policy) throws OrtException {
    String[] parts = policy.split(", ", 2);
    List<String> columns = List.of("$a", "$b", "$c");
    var spec =
        ModelSpec.of(
                ConfigFiles.parse(
                    "network", "{class: RecurrentNetwork, kwargs: {hidden: 8, output: 6}}"),
                ConfigFiles.parse(
                    "policy",
                    "{class: %s, kwargs: {learning_rate: 0.001, %s}}"
                        .formatted(parts[0], parts[1])),
                ConfigFiles.parse("actions", actions),
                new GivenFeatures(new FeatureColumns(columns, List.of("$a_1", "$b_1", "$c_1"))))
            .withSteps(STEPS, 30);
    var space =
        ExecutionCatalog.actionInterpreters()
            .make(ComponentSpec.from(spec.actions()))
            .actionSpace();
    Agent<FullHistoryObservation> agent = spec.agent(space).create(new SplittableRandom(3));
    var random = new SplittableRandom(5);
    RandomDay day = RandomDay.of(random, TrainedModel.TICKS, columns.size());
    var observations = new ArrayList<FullHistoryObservation>();
    for (int step = 0; step < STEPS; step++) {
      RandomDay.Order order = RandomDay.Order.of(random, step % 2 == 0, STEPS, STEPS);
      observations.add(day.observe(30 * step, order, step));
    }
    var scores = agent.newScores(STEPS);
    float[] expected = scores.of(observations).clone();

    OnnxModel onnx = OnnxModel.of(spec, agent.weights().stateDict(), TrainedModel.ORIGIN);
    try (var session = new OnnxSession(onnx.full())) {
      assertThat(session.outputs()).containsExactly("actions", "parameters");
      assertThat(session.run(observations).of("actions").toArray())
          .hasSize(STEPS * scores.choices())
          .containsExactly(expected, within(1e-5f));
    }
  }
}
