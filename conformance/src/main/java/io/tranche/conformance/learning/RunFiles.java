package io.tranche.conformance.learning;

import io.tranche.conformance.golden.GoldenValue;
import io.tranche.market.DataException;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The files of a run, as the `trainer` cases write them. Checkpoints of our own, which Qlib does
/// not know, are left out.
final class RunFiles {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private RunFiles() {}

  private static Map<String, Path> all(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      var all = new LinkedHashMap<String, Path>();
      found
          .filter(file -> !Files.isDirectory(file))
          .filter(file -> !file.toString().endsWith(CheckpointFile.SUFFIX))
          .sorted()
          .forEach(file -> all.put(folder.relativize(file).toString().replace('\\', '/'), file));
      return all;
    }
  }

  static JsonNode files(Path folder) throws IOException {
    ObjectNode files = JSON.objectNode();
    for (var named : all(folder).entrySet()) {
      Path file = named.getValue();
      ObjectNode entry = files.putObject(named.getKey());
      if (Files.isSymbolicLink(file)) {
        Path target = Files.readSymbolicLink(file);
        entry.put("type", "symlink");
        entry.put("target_name", target.getFileName().toString());
        entry.put("target_is_absolute", target.isAbsolute());
        entry.put("resolves", Files.exists(file));
      } else {
        entry.put("type", Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? "file" : "other");
      }
    }
    return files;
  }

  static JsonNode tables(Path folder) throws IOException {
    ObjectNode tables = JSON.objectNode();
    for (var named : all(folder).entrySet()) {
      if (named.getKey().endsWith(".csv")) {
        tables.put(named.getKey(), Files.readString(named.getValue()));
      }
    }
    return tables;
  }

  static JsonNode checkpoints(Path folder) throws IOException {
    ObjectNode checkpoints = JSON.objectNode();
    for (var named : all(folder).entrySet()) {
      if (named.getKey().endsWith(".pth") && !Files.isSymbolicLink(named.getValue())) {
        checkpoints.set(named.getKey(), checkpoint(named.getValue()));
      }
    }
    return checkpoints;
  }

  private static JsonNode checkpoint(Path file) {
    Map<?, ?> root = map(TorchFile.read(file));
    Map<?, ?> callbacks = map(root.get("callbacks"));
    Map<?, ?> loggers = map(root.get("loggers"));
    Map<?, ?> buffer = map(loggers.get("logbuffer"));
    ObjectNode answer = JSON.objectNode();
    answer.set("keys", GoldenValue.tree(root.keySet()));
    answer.put("vessel_policy_w", weight(map(root.get("vessel")).get("policy")));
    answer.set("callbacks", states(callbacks));
    answer.set("callback_names", GoldenValue.tree(callbacks.keySet()));
    answer.set("logger_names", GoldenValue.tree(loggers.keySet()));
    ObjectNode counters = answer.putObject("logbuffer");
    for (String name : List.of("episode_count", "step_count", "global_step", "global_episode")) {
      counters.set(name, GoldenValue.tree(buffer.get(name)));
    }
    answer.set("logbuffer_keys", GoldenValue.tree(buffer.keySet()));
    for (String name :
        List.of("current_iter", "current_episode", "current_stage", "should_stop", "metrics")) {
      answer.set(name, GoldenValue.tree(root.get(name)));
    }
    return answer;
  }

  /// Omits the tracers, as the cases do, and of weights records only whether they are there.
  private static JsonNode states(Map<?, ?> callbacks) {
    ObjectNode states = JSON.objectNode();
    callbacks.forEach(
        (name, state) -> {
          if (String.valueOf(name).startsWith("tracer")) {
            return;
          }
          Object value = state instanceof Map<?, ?> map ? plain(map) : state;
          states.set(String.valueOf(name), GoldenValue.tree(value));
        });
    return states;
  }

  private static Map<String, @Nullable Object> plain(Map<?, ?> state) {
    var plain = new LinkedHashMap<String, @Nullable Object>();
    state.forEach((key, value) -> plain.put(String.valueOf(key), value));
    if (plain.containsKey("best_weights")) {
      plain.put("best_weights", plain.get("best_weights") != null);
    }
    return plain;
  }

  private static double weight(@Nullable Object policy) {
    Tensor weight = policy instanceof StateDict dict ? dict.tensor("w") : null;
    if (weight == null) {
      throw new DataException("vessel.policy", "a state dict with w", policy);
    }
    return weight.at(0);
  }

  private static Map<?, ?> map(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new DataException("a checkpoint", "a dict", value);
  }
}
