package io.tranche.conformance.env;

import io.tranche.conformance.env.SeedProblem.Count;
import io.tranche.conformance.env.SeedProblem.Seed;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.env.EpisodeFailure;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import io.tranche.env.space.Value;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.env.vector.VectorEnv;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A vector of environments that records each call it gets and each call it makes.
final class VectorTrace implements VectorEnv<Count>, LogWriter {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final FiniteVectorEnv<Seed, Count> environments;
  private final ArrayNode events = JSON.arrayNode();
  private final ArrayNode assignments = JSON.arrayNode();
  private boolean usedUp;
  private int collectEpisodes;
  private int collectSteps;
  private int episodes;
  private int steps;

  VectorTrace(Iterator<Seed> seeds, int size) {
    environments =
        new FiniteVectorEnv<>(SeedProblem.of(true), seeds, VectorConfig.of(size), List.of(this), 1);
  }

  ArrayNode events() {
    return events;
  }

  ArrayNode assignments() {
    return assignments;
  }

  boolean isUsedUp() {
    return usedUp;
  }

  ObjectNode event(String name) {
    return events.addObject().put("event", name);
  }

  /// Records a call before the calls that were made during it.
  private ObjectNode call(int at, String name, int[] ids) {
    return events.insertObject(at).put("event", name).set("ids", GoldenValue.tree(ids));
  }

  @Override
  public boolean reset(int... ids) {
    int at = events.size();
    usedUp = !environments.reset(ids);
    ObjectNode call = call(at, "venv_reset", ids);
    if (usedUp) {
      call.put("raised", "StopIteration");
    } else {
      call.set("obs", observations(ids));
    }
    call.set("alive", alive()).put("zombie", usedUp);
    return !usedUp;
  }

  @Override
  public void step(int[] ids, Action[] actions) {
    int at = events.size();
    environments.step(ids, actions);
    ObjectNode call = call(at, "venv_step", ids).set("obs", observations(ids));
    ArrayNode rewards = call.putArray("rew");
    ArrayNode done = call.putArray("done");
    for (int id : ids) {
      rewards.add(environments.reward(id));
      done.add(environments.isDone(id));
    }
    call.set("alive", alive());
  }

  private ArrayNode observations(int[] ids) {
    ArrayNode rows = JSON.arrayNode();
    for (int id : ids) {
      rows.add(GoldenValue.json(environments.observation(id).toValue()));
    }
    return rows;
  }

  private JsonNode alive() {
    return GoldenValue.tree(
        IntStream.range(0, environments.size()).filter(environments::isAlive).toArray());
  }

  @Override
  public void onEnvAllReady() {
    collectEpisodes = 0;
    collectSteps = 0;
    event("logger_all_ready");
  }

  @Override
  public void onEnvReset(int env, Observation observation) {
    Seed seed = environments.initialState(env);
    assignments.addArray().add(env).addArray().add(seed.id()).add(seed.length());
    event("logger_reset").put("env", env);
  }

  @Override
  public void onEnvStep(
      int env,
      Observation observation,
      double reward,
      boolean done,
      Map<String, LogCollector.Entry> log) {
    collectSteps++;
    steps++;
    if (done) {
      collectEpisodes++;
      episodes++;
    }
    ArrayNode keys =
        event("logger_step")
            .put("env", env)
            .set("obs", GoldenValue.json(observation.toValue()))
            .put("rew", reward)
            .put("done", done)
            .putArray("log_keys");
    new TreeSet<>(log.keySet()).forEach(keys::add);
  }

  @Override
  public void onEnvAllDone() {
    event("logger_all_done")
        .put("episode_count", collectEpisodes)
        .put("step_count", collectSteps)
        .put("global_episode", episodes)
        .put("global_step", steps);
  }

  @Override
  public LogLevel level() {
    return LogLevel.PERIODIC;
  }

  @Override
  public Value.Dict state() {
    return new Value.Dict(Map.of());
  }

  @Override
  public void restore(Value.Dict state) {}

  @Override
  public int size() {
    return environments.size();
  }

  @Override
  public <R> R guarded(Supplier<R> collect) {
    return environments.guarded(collect);
  }

  @Override
  public boolean isAlive(int id) {
    return environments.isAlive(id);
  }

  @Override
  public Count observation(int id) {
    return environments.observation(id);
  }

  @Override
  public double reward(int id) {
    return environments.reward(id);
  }

  @Override
  public boolean isDone(int id) {
    return environments.isDone(id);
  }

  @Override
  public boolean hasFailed(int id) {
    return environments.hasFailed(id);
  }

  @Override
  public long episode(int id) {
    return environments.episode(id);
  }

  @Override
  public int stepsTaken(int id) {
    return environments.stepsTaken(id);
  }

  @Override
  public List<EpisodeFailure> takeFailures() {
    return environments.takeFailures();
  }

  @Override
  public void close() {
    environments.close();
  }
}
