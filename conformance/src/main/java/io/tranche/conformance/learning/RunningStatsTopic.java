package io.tranche.conformance.learning;

import io.tranche.conformance.golden.GoldenLearning;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import io.tranche.env.space.Value;
import io.tranche.market.DataException;
import io.tranche.policy.experience.Minibatches;
import io.tranche.policy.experience.Returns;
import io.tranche.policy.experience.RunningMoments;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.ppo.PpoLoss;
import java.nio.file.Path;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `running_stats_and_gae.json`: running mean and variance, advantages, n-step returns, and how
/// rows are cut into minibatches.
public final class RunningStatsTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// Never read.
  private record Unseen() implements Observation {

    @Override
    public Value toValue() {
      return new Value.Plain(null);
    }
  }

  private RunningStatsTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    String kind = input.get("kind").stringValue();
    return switch (kind) {
      case "rms" -> moments(input);
      case "gae" -> advantages(input);
      case "nstep" -> nStep(input);
      case "split" -> split(input);
      default -> throw new DataException("input.kind", "rms, gae, nstep or split", kind);
    };
  }

  private static ObjectNode moments(JsonNode input) {
    ObjectNode answer = JSON.objectNode();
    ArrayNode afterEach = answer.putArray("after_each");
    var moments = new RunningMoments();
    for (JsonNode batch : input.get("batches")) {
      moments.update(doubles(batch), batch.size());
      afterEach.addArray().add(moments.mean()).add(moments.variance()).add((long) moments.count());
    }
    return answer;
  }

  private static ObjectNode advantages(JsonNode input) {
    double[] advantages = new double[input.get("rew").size()];
    PpoLoss.advantages(
        steps(input),
        doubles(input.get("v_s")),
        doubles(input.get("v_s_next")),
        input.get("gamma").doubleValue(),
        input.get("gae_lambda").doubleValue(),
        advantages);
    return JSON.objectNode().set("advantage", GoldenValue.tree(advantages));
  }

  private static ObjectNode nStep(JsonNode input) {
    Transitions<Unseen> steps = steps(input);
    int count = input.get("n_step").intValue();
    ObjectNode answer = JSON.objectNode();
    ArrayNode returns = answer.putArray("returns");
    for (int row = 0; row < steps.size(); row++) {
      // Golden cases give the value after each return, not after each step.
      double rest = input.get("target_q").get(row).get(0).doubleValue();
      returns
          .addArray()
          .add(Returns.nStep(steps, row, count, input.get("gamma").doubleValue(), rest));
    }
    return answer;
  }

  private static Transitions<Unseen> steps(JsonNode input) {
    var unseen = new Unseen();
    var steps = new Transitions<Unseen>();
    JsonNode ends = input.get("end_flag");
    for (int row = 0; row < ends.size(); row++) {
      double reward = input.get("rew").get(row).doubleValue();
      steps.add(
          unseen,
          new Action.Discrete(0),
          reward,
          ends.get(row).booleanValue(),
          false,
          unseen,
          row,
          0);
    }
    return steps;
  }

  private static ObjectNode split(JsonNode input) {
    int length = input.get("length").intValue();
    int size = input.get("size").intValue();
    int[] order = IntStream.range(0, length).toArray();
    var minibatches = new Minibatches();
    minibatches.fixed(order, size);
    ObjectNode answer = JSON.objectNode();
    ArrayNode chunks = answer.putArray("chunks");
    for (int i = 0; i < minibatches.count(); i++) {
      chunks.add(chunk(minibatches.rows(), minibatches.start(i), minibatches.end(i)));
    }
    return answer;
  }

  private static JsonNode chunk(int[] rows, int from, int to) {
    return GoldenValue.tree(IntStream.range(from, to).map(i -> rows[i]).toArray());
  }

  private static double[] doubles(JsonNode array) {
    return array.valueStream().mapToDouble(GoldenLearning::number).toArray();
  }
}
