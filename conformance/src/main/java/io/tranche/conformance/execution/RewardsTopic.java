package io.tranche.conformance.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.conformance.golden.GoldenEpisodes;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.Reward;
import io.tranche.env.RewardCombination;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.execution.reward.PriceTierReward;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `rewards.json`: several rewards after each step of one episode of the simple simulator.
public final class RewardsTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private RewardsTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    var rewards = new LinkedHashMap<String, Reward<ExecutionState>>();
    input.get("rewards").properties().forEach(e -> rewards.put(e.getKey(), reward(e.getValue())));
    SimpleSimulator simulator =
        GoldenEpisodes.simulators(input).create(GoldenEpisodes.order(input));
    ObjectNode answer = JSON.objectNode();
    ArrayNode steps = answer.putArray("steps");
    for (JsonNode action : input.get("actions")) {
      simulator.step(ChildOrder.market(action.doubleValue()));
      steps.add(step(simulator.state(), rewards));
    }
    return answer;
  }

  private static ObjectNode step(
      ExecutionState state, Map<String, Reward<ExecutionState>> rewards) {
    ObjectNode step =
        JSON.objectNode().put("cur_step", state.step()).put("position", state.remaining());
    ObjectNode values = step.putObject("rewards");
    rewards.forEach(
        (name, reward) -> {
          var log = new LogCollector();
          double value = reward.reward(state, EnvContext.outside(log));
          ObjectNode logs =
              values.putObject(name).put("value", value).putNull("error").putObject("logs");
          log.entries()
              .forEach((key, entry) -> logs.put(key, entry.value() instanceof Double d ? d : null));
        });
    return step;
  }

  private static Reward<ExecutionState> reward(JsonNode spec) {
    String type = spec.get("class").asString();
    return switch (type) {
      case "PAPenaltyReward" ->
          new AdvantagePenaltyReward(
              spec.get("penalty").doubleValue(), spec.get("scale").doubleValue(), Weight.REQUESTED);
      case "PPOReward" -> PriceTierReward.qlib(spec.get("max_step").intValue());
      case "RewardCombination" -> combination(spec.get("rewards"));
      default -> throw new DataException("input.rewards", "a reward of Qlib", type);
    };
  }

  private static Reward<ExecutionState> combination(JsonNode rewards) {
    var terms = new LinkedHashMap<String, RewardCombination.Term<ExecutionState>>();
    for (var entry : rewards.properties()) {
      JsonNode pair = entry.getValue();
      var term = new RewardCombination.Term<>(reward(pair.get(0)), pair.get(1).doubleValue());
      terms.put(entry.getKey(), term);
    }
    return new RewardCombination<>(terms);
  }
}
