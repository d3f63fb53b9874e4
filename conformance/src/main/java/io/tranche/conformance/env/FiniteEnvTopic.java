package io.tranche.conformance.env;

import io.tranche.conformance.env.SeedProblem.Count;
import io.tranche.conformance.env.SeedProblem.Seed;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.env.EnvWrapper;
import io.tranche.env.Episode;
import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.Step;
import io.tranche.env.space.Action;
import io.tranche.env.space.NanObservation;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.env.space.Value.Floats;
import io.tranche.env.space.Value.Integers;
import io.tranche.env.space.Value.Plain;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The environment wrapper, NaN observations, and finite vectors driven by the collector.
public final class FiniteEnvTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private FiniteEnvTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.path("input");
    String kind = input.path("kind").asString();
    return switch (kind) {
      case "collect" -> collect(input);
      case "env_wrapper" -> wrapper(input);
      case "env_wrapper_no_seed" -> withoutSeeds();
      case "nan_observation" -> nanObservation(space(input.path("space").asString()));
      case "is_invalid" -> isInvalid(input);
      case "fill_invalid" -> fillInvalid();
      default -> throw new DataException("input.kind", "a kind of finite_env", kind);
    };
  }

  private static JsonNode collect(JsonNode input) {
    JsonNode episodes = input.path("n_episode");
    Policy<Count> always =
        (observations, _, _) -> {
          var actions = new Action[observations.size()];
          Arrays.fill(actions, SeedProblem.ONE);
          return actions;
        };
    try (var trace = new VectorTrace(seeds(input), input.path("n_env").asInt())) {
      CollectResult result =
          trace.guarded(
              () -> {
                var collector =
                    new Collector<>(
                        always, Policy.Mode.TRAIN, trace, _ -> {}, Collector.Resets.EAGER, 0, 0);
                if (!collector.isExhausted()) {
                  trace.event("collect_begins");
                }
                return episodes.isNull()
                    ? collector.collectAll()
                    : collector.collectEpisodes(episodes.asInt());
              });
      boolean usedUp = trace.isUsedUp();
      String error = resetError(trace);
      return JSON.objectNode()
          .set("trace", trace.events())
          .set("assignments", trace.assignments())
          .put("stopped_by_StopIteration", result.exhausted())
          .set("collect_result", result.exhausted() ? JSON.nullNode() : json(result))
          .put("zombie", usedUp)
          .put("reset_after_end_error", error);
    }
  }

  private static @Nullable String resetError(VectorTrace trace) {
    try {
      trace.reset(IntStream.range(0, trace.size()).toArray());
      return null;
    } catch (IllegalStateException e) {
      return "AssertionError";
    }
  }

  private static ObjectNode json(CollectResult result) {
    ObjectNode json = JSON.objectNode().put("n/ep", result.episodes()).put("n/st", result.steps());
    result.rewards().forEach(json.putArray("rews")::add);
    result.lengths().forEach(json.putArray("lens")::add);
    return json.put("rew", result.rewardMean())
        .put("len", result.lengthMean())
        .put("rew_std", result.rewardDeviation())
        .put("len_std", result.lengthDeviation());
  }

  private static JsonNode wrapper(JsonNode input) {
    var log = new LogCollector(LoggerTopic.level(input.path("logger_min_level")));
    var environment =
        new EnvWrapper<>(SeedProblem.of(input.path("with_reward").asBoolean()), seeds(input), log);
    ArrayNode operations = JSON.arrayNode();
    while (!environment.isDead()) {
      Count first = environment.reset();
      Value seen =
          first == null ? NanObservation.of(environment.observationSpace()) : first.toValue();
      operations
          .addObject()
          .put("op", "reset")
          .set("obs", GoldenValue.json(seen))
          .put("dead", environment.isDead());
      if (first != null) {
        episode(environment, operations);
      }
    }
    return JSON.objectNode()
        .set("ops", operations)
        .set("step_when_dead", error(() -> environment.step(SeedProblem.ONE)))
        .set("reset_when_dead", error(environment::reset));
  }

  private static void episode(EnvWrapper<Seed, ?, ?, Count> environment, ArrayNode operations) {
    Episode<Seed, Count> episode = environment.episode();
    var statuses = new ArrayList<ObjectNode>();
    while (!episode.isDone()) {
      Step<Count> step = environment.step(SeedProblem.ONE);
      ObjectNode operation =
          operations
              .addObject()
              .put("op", "step")
              .set("obs", GoldenValue.json(step.observation().toValue()))
              .put("rew", step.reward())
              .put("done", step.done())
              .set("log", json(step.log().entries()))
              .set("aux_info", GoldenValue.json(step.aux()));
      statuses.add(status(episode, operation.putObject("status")));
    }
    // Golden files show the histories as they are at the end: Qlib's lists were shared by all
    // steps.
    for (ObjectNode status : statuses) {
      ArrayNode actions = status.putArray("actions");
      episode.actions().forEach(action -> actions.add(json(action)));
      ArrayNode rewards = status.putArray("rewards");
      Arrays.stream(episode.rewards()).forEach(rewards::add);
    }
  }

  private static ObjectNode status(Episode<Seed, Count> episode, ObjectNode status) {
    status
        .put("cur_step", episode.step())
        .put("done", episode.isDone())
        .put("n_obs", episode.observations().size())
        .putArray("initial_state")
        .add(episode.initialState().id())
        .add(episode.initialState().length());
    return status;
  }

  private static ObjectNode json(Map<String, LogCollector.Entry> log) {
    ObjectNode json = JSON.objectNode();
    log.forEach(
        (name, entry) ->
            json.putArray(name)
                .add(entry.level().code())
                .add(
                    switch (entry.value()) {
                      case Observation observation -> GoldenValue.json(observation.toValue());
                      case Action action -> json(action);
                      case null, default -> GoldenValue.json(new Plain(entry.value()));
                    }));
    return json;
  }

  private static JsonNode json(Action action) {
    return switch (action) {
      case Action.Discrete(int index) -> JSON.numberNode(index);
      case Action.Continuous(double value) -> JSON.numberNode(value);
      case Action.Vector(var values) -> {
        var numbers = JSON.arrayNode();
        values.forEach(numbers::add);
        yield numbers;
      }
    };
  }

  private static JsonNode error(Runnable action) {
    try {
      action.run();
      return JSON.nullNode();
    } catch (IllegalStateException e) {
      return JSON.objectNode().put("type", "RuntimeError").put("message", e.getMessage());
    }
  }

  private static JsonNode withoutSeeds() {
    var environment =
        EnvWrapper.withoutInitialStates(SeedProblem.withoutSeeds(), new LogCollector());
    ArrayNode sequence = JSON.arrayNode();
    boolean done = false;
    for (int i = 0; i < 2; i++) {
      Count first = environment.reset();
      sequence.add(first == null ? JSON.nullNode() : GoldenValue.json(first.toValue()));
      Step<Count> step = environment.step(SeedProblem.ONE);
      sequence.add(GoldenValue.json(step.observation().toValue()));
      done = step.done();
    }
    return JSON.objectNode()
        .set("obs_sequence", sequence.add(done))
        .set("initial_state", GoldenValue.json(new Plain(environment.episode().initialState())));
  }

  private static JsonNode nanObservation(Space space) {
    Value value = NanObservation.of(space);
    return JSON.objectNode()
        .set("value", GoldenValue.json(value))
        .put("is_nan_observation", NanObservation.matches(value));
  }

  private static Space space(String name) {
    Space discrete = new Space.Discrete(3);
    return switch (name) {
      case "box_f32" -> box(ElementType.FLOAT32, 2);
      case "box_i32" -> box(ElementType.INT32, 2);
      case "box_u8" -> box(ElementType.UINT8, 2);
      case "box_scalar_i32" -> Space.Box.scalar(ElementType.INT32, 0, 1);
      case "discrete" -> discrete;
      case "multibinary" -> new Space.MultiBinary(3);
      case "multidiscrete" -> new Space.MultiDiscrete(List.of(3, 4));
      case "dict" -> new Space.Dict(Map.of("a", discrete, "b", box(ElementType.FLOAT32, 2)));
      case "tuple" ->
          new Space.Tuple(List.of(discrete, Space.Box.scalar(ElementType.FLOAT32, 0, 1)));
      default -> throw new DataException("input.space", "a known space", name);
    };
  }

  private static Space box(ElementType type, int size) {
    return new Space.Box(type, List.of(size), 0, 1);
  }

  private static JsonNode isInvalid(JsonNode input) {
    ObjectNode results = JSON.objectNode();
    for (JsonNode sample : input.path("samples")) {
      String name = sample.asString();
      results.put(name, NanObservation.matches(sample(name)));
    }
    return JSON.objectNode().set("results", results);
  }

  private static Value sample(String name) {
    return switch (name) {
      case "all_nan_float" -> floats(Double.NaN, Double.NaN);
      case "one_nan_float" -> floats(Double.NaN, 1);
      case "int32_max" -> integers(Integer.MAX_VALUE, Integer.MAX_VALUE);
      case "int32_partly" -> integers(Integer.MAX_VALUE, 1);
      case "dict_mixed" -> dict(floats(Double.NaN), integers(1));
      case "dict_all" -> dict(floats(Double.NaN), integers(Integer.MAX_VALUE));
      case "python_int_max64" -> new Plain(Long.MAX_VALUE);
      case "python_int" -> new Plain(1L);
      case "python_nan" -> new Plain(Double.NaN);
      case "empty_list" -> new Value.Tuple(List.of());
      case "empty_dict" -> new Value.Dict(Map.of());
      case "none" -> new Plain(null);
      case "string" -> new Plain("text");
      case "empty_array" -> floats();
      case "list_nan" -> new Value.Tuple(List.of(new Plain(Double.NaN), new Plain(Double.NaN)));
      default -> throw new DataException("input.samples", "a known sample", name);
    };
  }

  private static Value dict(Value first, Value second) {
    return new Value.Dict(Map.of("a", first, "b", second));
  }

  private static Value floats(double... data) {
    return new Floats(ElementType.FLOAT64, List.of(data.length), data);
  }

  private static Value integers(long... data) {
    return new Integers(ElementType.INT32, List.of(data.length), data);
  }

  private static JsonNode fillInvalid() {
    ObjectNode errors = JSON.objectNode();
    Map<String, Value> samples = Map.of("bool", new Plain(true), "string", new Plain("text"));
    samples.forEach(
        (name, value) -> {
          try {
            errors.set(name, GoldenValue.json(NanObservation.like(value)));
          } catch (IllegalArgumentException e) {
            errors.put(name, "ValueError");
          }
        });
    return JSON.objectNode().set("errors", errors);
  }

  private static Iterator<Seed> seeds(JsonNode input) {
    return input.path("seeds").valueStream().map(Seed::from).iterator();
  }
}
