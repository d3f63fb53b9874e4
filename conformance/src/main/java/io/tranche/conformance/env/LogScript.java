package io.tranche.conformance.env;

import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.log.ConsoleWriter;
import io.tranche.env.log.CsvLogWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.log.LogBuffer;
import io.tranche.env.space.Value;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A script of events in environments, and the output of three log writers.
final class LogScript {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Observation NOTHING = () -> new Value.Plain(null);

  private final ArrayNode callbacks = JSON.arrayNode();
  private final ArrayNode lines = JSON.arrayNode();
  private final ArrayNode tables = JSON.arrayNode();
  private final Path table;
  private final LogBuffer buffer;
  private final ConsoleWriter console;
  private final EpisodeLog bufferLog;
  private final List<LogWriter> writers;

  private LogScript(JsonNode input, Path folder) {
    LogLevel level = LoggerTopic.level(input.path("loglevel"));
    buffer = new LogBuffer((moment, _) -> callbacks.add(callback(moment)));
    console = new ConsoleWriter(lines::add, style(input));
    bufferLog = new EpisodeLog(buffer, level);
    table = folder.resolve("result.csv");
    writers =
        List.of(
            bufferLog,
            new EpisodeLog(console, level),
            new EpisodeLog(new CsvLogWriter(folder), level));
  }

  static JsonNode play(JsonNode input) {
    return Topic.inFolder(folder -> new LogScript(input, folder).answer(input.path("events")));
  }

  private JsonNode answer(JsonNode events) throws IOException {
    String tooEarly = tooEarly();
    try {
      for (JsonNode event : events) {
        for (LogWriter writer : writers) {
          tell(writer, event);
        }
        if (event.path(0).asString().equals("done")) {
          tables.add(Files.readString(table));
        }
      }
    } catch (IllegalStateException e) {
      throw new Topic.Stopped(e, written(tooEarly));
    }
    return written(tooEarly);
  }

  private ObjectNode written(String tooEarly) {
    var counters = bufferLog.counters();
    ObjectNode counts =
        JSON.objectNode()
            .put("episode_count", counters.episodeCount())
            .put("step_count", counters.stepCount())
            .put("global_step", counters.globalStep())
            .put("global_episode", counters.globalEpisode());
    return JSON.objectNode()
        .set("buffer_callbacks", callbacks)
        .set("console_lines", lines)
        .set("csv_after_each_done", tables)
        .put("episode_metrics_before_any_error", tooEarly)
        .set("counters", counts)
        .set("active_env_ids", GoldenValue.tree(bufferLog.activeEnvs()))
        .set("console_sums", GoldenValue.tree(console.sums()))
        .set("console_counts", GoldenValue.tree(console.counts()));
  }

  /// Returns the name of the error that is raised if metrics are read before there are any.
  private String tooEarly() {
    try {
      return buffer.episodeMetrics().toString();
    } catch (IllegalStateException _) {
      return "ValueError";
    }
  }

  private static void tell(LogWriter writer, JsonNode event) {
    int env = event.path(1).asInt(0);
    switch (event.path(0).asString()) {
      case "ready" -> writer.onEnvAllReady();
      case "reset" -> writer.onEnvReset(env, NOTHING);
      case "step" ->
          writer.onEnvStep(
              env,
              NOTHING,
              event.path(2).asDouble(),
              event.path(3).asBoolean(),
              log(event.path(4)));
      case "done" -> writer.onEnvAllDone();
      default -> throw new DataException("input.events", "a known event", event);
    }
  }

  private static Map<String, LogCollector.Entry> log(JsonNode logged) {
    var log = new LinkedHashMap<String, LogCollector.Entry>();
    for (var entry : logged.properties()) {
      JsonNode value = entry.getValue();
      log.put(
          entry.getKey(),
          new LogCollector.Entry(
              LoggerTopic.level(value.path(0)),
              LoggerTopic.object(value.path(1), value.path(2).asString())));
    }
    return log;
  }

  private JsonNode callback(LogBuffer.Moment moment) {
    boolean isEpisode = moment == LogBuffer.Moment.EPISODE;
    Map<String, Double> metrics = isEpisode ? buffer.episodeMetrics() : buffer.collectMetrics();
    return JSON.objectNode()
        .put("on_episode", isEpisode)
        .put("on_collect", !isEpisode)
        .set("metrics", GoldenValue.tree(metrics))
        .set("metric_order", GoldenValue.tree(metrics.keySet()))
        .put("episode_count", buffer.counters().episodeCount())
        .put("global_episode", buffer.counters().globalEpisode());
  }

  private static ConsoleWriter.Style style(JsonNode input) {
    JsonNode console = input.path("console");
    var style = ConsoleWriter.Style.DEFAULT;
    JsonNode total = console.path("total_episodes");
    return new ConsoleWriter.Style(
        console.path("log_every_n_episode").asInt(style.everyEpisodes()),
        total.isNumber() ? (Integer) total.asInt() : style.totalEpisodes(),
        input.path("prefix").asString(),
        console.path("float_format").asString(style.numberFormat()),
        console.path("counter_format").asString(style.countFormat()));
  }
}
