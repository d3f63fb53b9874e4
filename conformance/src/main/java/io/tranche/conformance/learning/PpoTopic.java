package io.tranche.conformance.learning;

import io.tranche.config.ConfigFiles;
import io.tranche.conformance.golden.GoldenLearning;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.experience.RunningMoments;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoExperience;
import io.tranche.tensor.AdamConfig;
import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `ppo.json.gz`: successive updates of one policy, from transitions to weights.
public final class PpoTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PpoTopic() {}

  public static double slack(String path, double largest) {
    return path.contains(".first_minibatch_gradients") ? GoldenLearning.GRADIENT * largest : 1e-5;
  }

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    JsonNode expected = testCase.get("expected");
    if (!input.has("rounds")) {
      return construct(input);
    }
    try (var parallel = new ParallelFor(1)) {
      var ppo =
          new Ppo<>(
              ActorCritic.create(
                  GoldenLearning.recurrent(input.path("network"), input.path("data_dim").asInt(1)),
                  input.path("action_n").asInt(1),
                  RandomTree.generator(0)),
              config(input),
              parallel);
      Weights weights = ppo.agent().model().weights();
      GoldenLearning.load(weights, input.get("state_dict"));
      // One step alone has no standard deviation: Qlib continues with NaN.
      ppo.stopOnDivergence(false);
      ObjectNode answer = JSON.objectNode();
      answer.set("parameter_names", GoldenLearning.names(weights));
      ArrayNode rounds = answer.putArray("rounds");
      for (int i = 0; i < input.get("rounds").size(); i++) {
        rounds.add(round(ppo, input, i, expected.get("rounds").get(i)));
      }
      return answer;
    }
  }

  /// Makes the algorithm as from a configuration: it refuses what Qlib's constructor refuses.
  private static JsonNode construct(JsonNode input) {
    ObjectNode component = JSON.objectNode().put("class", "PPO");
    component
        .putObject("kwargs")
        .put("lr", 1e-4)
        .setAll(input.has("hyper") ? (ObjectNode) input.get("hyper") : JSON.objectNode());
    PolicyCatalog.agent(
        ConfigFiles.parse("input", component.toString()),
        GoldenLearning.recurrent(JSON.objectNode(), 1),
        // The case without settings tests actions that are not discrete.
        LearningContext.of(
            input.has("hyper")
                ? new Space.Discrete(2)
                : Space.Box.scalar(ElementType.FLOAT32, 0, 1)));
    return JSON.objectNode();
  }

  private static ObjectNode round(
      Ppo<FullHistoryObservation> ppo, JsonNode input, int index, JsonNode expected) {
    JsonNode round = input.get("rounds").get(index);
    Transitions<FullHistoryObservation> steps = GoldenLearning.transitions(round);
    PpoExperience<FullHistoryObservation> experience = ppo.experience();
    if (index == 0) {
      JsonNode initial = input.get("ret_rms_initial");
      experience
          .moments()
          .restore(initial.get(0).asDouble(), initial.get(1).asDouble(), initial.get(2).asDouble());
    }
    ppo.prepare(steps);
    ObjectNode answer = JSON.objectNode();
    int size = steps.size();
    answer.set("returns", array(size, experience::normalReturn));
    answer.set("advantages", array(size, experience::advantage));
    answer.set("v_s", array(size, experience::value));
    answer.set("logp_old", array(size, experience::logProbability));
    answer.set("ret_rms_after_process", moments(experience.moments()));
    learn(ppo, steps, input, round, expected, answer);
    return answer;
  }

  private static void learn(
      Ppo<FullHistoryObservation> ppo,
      Transitions<FullHistoryObservation> steps,
      JsonNode input,
      JsonNode round,
      JsonNode expected,
      ObjectNode answer) {
    JsonNode size = input.get("batch_size");
    JsonNode orders = round.get("permutations");
    JsonNode gradients = expected.get("first_minibatch_gradients");
    ppo.observe(
        (minibatch, all) -> {
          if (minibatch == 0) {
            answer.set(
                "first_minibatch_gradients",
                GoldenLearning.byName(ppo.agent().model().weights(), all, gradients));
          }
        });
    UpdateReport report =
        ppo.learn(
            steps,
            input.get("repeat").asInt(),
            (repeat, target) ->
                target.fixed(
                    orders.get(repeat).valueStream().mapToInt(JsonNode::asInt).toArray(),
                    size.isString() ? 0 : size.asInt()));
    ObjectNode losses = answer.putObject("losses");
    report
        .series()
        .forEach(
            (name, values) -> {
              JsonNode array = GoldenValue.tree(values);
              if (name.startsWith("loss")) {
                losses.set(name, array);
              } else if (!name.equals("gradient_norm")) {
                return; // what Qlib does not report
              } else if (input.get("hyper").get("max_grad_norm").isNull()) {
                // Qlib does not compute it if nothing is clipped.
                answer.putNull("grad_total_norms_before_clip");
              } else {
                answer.set("grad_total_norms_before_clip", array);
              }
            });
    answer.set(
        "parameters_after",
        GoldenLearning.weightsByName(
            ppo.agent().model().weights(), expected.get("parameters_after"), gradients));
  }

  private static ArrayNode moments(RunningMoments moments) {
    return JSON.arrayNode().add(moments.mean()).add(moments.variance()).add((long) moments.count());
  }

  private static JsonNode array(int size, IntToDoubleFunction numbers) {
    return GoldenValue.tree(IntStream.range(0, size).mapToDouble(numbers).toArray());
  }

  private static PpoConfig config(JsonNode input) {
    JsonNode hyper = input.path("hyper");
    JsonNode attributes = input.path("attrs");
    var optimiser =
        AdamConfig.of(hyper.path("lr").asDouble(1e-4))
            .withWeightDecay(hyper.path("weight_decay").asDouble(0));
    PpoConfig byDefault = PpoConfig.QLIB;
    JsonNode norm = hyper.path("max_grad_norm");
    return byDefault
        .withOptimiser(optimiser)
        .withDiscount(hyper.path("discount_factor").asDouble(byDefault.discount()))
        .withLambda(hyper.path("gae_lambda").asDouble(byDefault.lambda()))
        .withClip(hyper.path("eps_clip").asDouble(byDefault.clip()))
        .withDualClip(optional(attributes.path("dual_clip")))
        .withNormalizedRewards(
            hyper.path("reward_normalization").asBoolean(byDefault.normalizesRewards()))
        .withValueClip(hyper.path("value_clip").asBoolean(byDefault.valueClip()))
        .withValueWeight(hyper.path("vf_coef").asDouble(byDefault.valueWeight()))
        .withEntropyWeight(attributes.path("ent_coef").asDouble(byDefault.entropyWeight()))
        .withMaxNorm(norm.isNull() ? 0 : norm.asDouble(byDefault.maxNorm()))
        .withNormalizedAdvantages(
            attributes.path("advantage_normalization").asBoolean(byDefault.normalizesAdvantages()))
        .withRecomputedAdvantages(
            attributes.path("recompute_advantage").asBoolean(byDefault.recomputesAdvantages()));
  }

  private static @Nullable Double optional(JsonNode node) {
    return node.isNumber() ? node.doubleValue() : null;
  }
}
