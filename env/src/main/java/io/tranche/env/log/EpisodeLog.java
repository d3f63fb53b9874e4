package io.tranche.env.log;

import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A log writer that gathers the steps of each episode and passes finished episodes to a sink.
public final class EpisodeLog implements LogWriter {

  private final LogLevel level;
  private final EpisodeSink sink;
  private final Map<Integer, EpisodeRecord> running = new TreeMap<>();
  private final Set<Integer> active = new TreeSet<>();
  private LogCounters counters = LogCounters.ZERO;

  /// Makes a log for the level [LogLevel#PERIODIC] and above.
  public EpisodeLog(EpisodeSink sink) {
    this(sink, LogLevel.PERIODIC);
  }

  public EpisodeLog(EpisodeSink sink, LogLevel level) {
    this.sink = sink;
    this.level = level;
    sink.begin();
  }

  @Override
  public String name() {
    return sink.name();
  }

  @Override
  public LogLevel level() {
    return level;
  }

  public LogCounters counters() {
    return counters;
  }

  /// Returns the environments that have stepped in this collect, in order.
  public Set<Integer> activeEnvs() {
    return Collections.unmodifiableSet(active);
  }

  @Override
  public void onEnvAllReady() {
    counters = counters.withNewCollect();
    active.clear();
    sink.begin();
  }

  @Override
  public void onEnvReset(int env, Observation observation) {
    running.put(env, new EpisodeRecord(new ArrayList<>(), new ArrayList<>()));
  }

  @Override
  public void onEnvStep(
      int env,
      Observation observation,
      double reward,
      boolean done,
      Map<String, LogCollector.Entry> log) {
    counters = counters.withStep();
    active.add(env);
    EpisodeRecord episode = running.get(env);
    if (episode == null) {
      throw new IllegalStateException("env must be reset before it steps, was " + env);
    }
    episode.rewards().add(reward);
    var values = new LinkedHashMap<String, @Nullable Object>();
    log.forEach(
        (name, entry) -> {
          if (entry.level().isAtLeast(level)) {
            values.put(name, entry.value());
          }
        });
    episode.steps().add(values);
    if (done) {
      counters = counters.withEpisode();
      sink.episode(episode, counters);
    }
  }

  @Override
  public void onEnvAllDone() {
    sink.end(counters);
  }

  /// Returns counters, running episodes and the sink's state, named as in Qlib's `state_dict`.
  ///
  /// Logged values that are neither numbers, texts nor arrays are stored as texts: the first reset
  /// after a checkpoint drops them anyway.
  @Override
  public Value.Dict state() {
    var lengths = new LinkedHashMap<String, Value>();
    var rewards = new LinkedHashMap<String, Value>();
    var logs = new LinkedHashMap<String, Value>();
    running.forEach(
        (env, episode) -> {
          lengths.put(env.toString(), new Value.Plain((long) episode.length()));
          rewards.put(env.toString(), LogValues.of(episode.rewards()));
          logs.put(env.toString(), LogValues.of(episode.steps()));
        });
    var state = new LinkedHashMap<String, Value>();
    counters.writeTo(state);
    state.put("active_env_ids", LogValues.of(List.copyOf(active)));
    state.put("episode_lengths", new Value.Dict(lengths));
    state.put("episode_rewards", new Value.Dict(rewards));
    state.put("episode_logs", new Value.Dict(logs));
    state.putAll(sink.state());
    return new Value.Dict(state);
  }

  @Override
  public void restore(Value.Dict state) {
    counters = LogCounters.from(state);
    active.clear();
    for (Object env : LogValues.list(state, "active_env_ids")) {
      active.add(LogValues.number("active_env_ids", env).intValue());
    }
    running.clear();
    Value.Dict rewards = LogValues.dict(state, "episode_rewards");
    Value.Dict logs = LogValues.dict(state, "episode_logs");
    for (String env : rewards.entries().keySet()) {
      if (!env.matches("\\d{1,9}")) {
        throw LogValues.wrong("episode_rewards", "a map by environment number", env);
      }
      var episode = new EpisodeRecord(new ArrayList<>(), new ArrayList<>());
      for (Object reward : LogValues.list(rewards, env)) {
        episode.rewards().add(LogValues.number("episode_rewards", reward).doubleValue());
      }
      for (Object step : LogValues.list(logs, env)) {
        episode.steps().add(LogValues.plainEntries("episode_logs", step));
      }
      running.put(Integer.valueOf(env), episode);
    }
    sink.restore(state);
  }

  @Override
  public void close() {
    sink.close();
  }
}
