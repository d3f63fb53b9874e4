package io.tranche.policy.weights;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The layout of a checkpoint of Qlib's trainer. Qlib: `Trainer.state_dict`.
///
/// States are plain values, see [TorchFile#read].
///
/// @param callbacks states by name; null for a callback without state
/// @param loggers states by name
/// @param metrics numbers by name
/// @param more all other entries; Qlib ignores them
public record TrainerCheckpoint(
    StateDict policy,
    Map<String, @Nullable Object> callbacks,
    Map<String, @Nullable Object> loggers,
    boolean shouldStop,
    long currentIteration,
    long currentEpisode,
    String currentStage,
    Map<String, Double> metrics,
    Map<String, @Nullable Object> more) {

  // Not a compact constructor, whose class file would lose the inner @Nullable.
  public TrainerCheckpoint(
      StateDict policy,
      Map<String, @Nullable Object> callbacks,
      Map<String, @Nullable Object> loggers,
      boolean shouldStop,
      long currentIteration,
      long currentEpisode,
      String currentStage,
      Map<String, Double> metrics,
      Map<String, @Nullable Object> more) {
    this.policy = policy;
    this.callbacks = copy(callbacks);
    this.loggers = copy(loggers);
    this.shouldStop = shouldStop;
    this.currentIteration = currentIteration;
    this.currentEpisode = currentEpisode;
    this.currentStage = currentStage;
    this.metrics = copy(metrics);
    this.more = copy(more);
  }

  private static <V extends @Nullable Object> Map<String, V> copy(Map<String, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /// @throws io.tranche.market.DataException if the file cannot be written; an existing file is
  ///   kept
  public void write(Path file) {
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put("vessel", Map.of("policy", policy));
    root.put("callbacks", callbacks);
    root.put("loggers", loggers);
    root.put("should_stop", shouldStop);
    root.put("current_iter", currentIteration);
    root.put("current_episode", currentEpisode);
    root.put("current_stage", currentStage);
    root.put("metrics", metrics);
    more.forEach(
        (name, value) -> {
          if (root.containsKey(name)) {
            throw new IllegalArgumentException("more must not hold " + name);
          }
          root.put(name, value);
        });
    TorchFile.write(file, root);
  }

  /// @throws CheckpointException if the file is missing, damaged or not a trainer's checkpoint
  public static TrainerCheckpoint read(Path file) {
    var fields = new Fields(file.toString(), TorchFile.read(file));
    return new TrainerCheckpoint(
        fields.policy(),
        fields.take("callbacks"),
        fields.take("loggers"),
        fields.take("should_stop", Boolean.class),
        fields.take("current_iter", Long.class),
        fields.take("current_episode", Long.class),
        fields.take("current_stage", String.class),
        fields.metrics(),
        fields.rest());
  }

  /// The remaining entries of a checkpoint while it is taken apart.
  private static final class Fields {
    private final String where;
    private final Map<String, @Nullable Object> left;

    Fields(String where, @Nullable Object root) {
      this.where = where;
      this.left = map("a checkpoint of a trainer", root);
    }

    StateDict policy() {
      Object policy = take("vessel").get("policy");
      if (policy instanceof StateDict dict) {
        return dict;
      }
      throw new CheckpointException(where, "a state dict in vessel.policy", policy);
    }

    Map<String, @Nullable Object> take(String name) {
      return map("a dict of texts in " + name, left.remove(name));
    }

    <T> T take(String name, Class<T> type) {
      Object value = left.remove(name);
      if (type.isInstance(value)) {
        return type.cast(value);
      }
      throw new CheckpointException(where, "%s as %s".formatted(name, type.getSimpleName()), value);
    }

    Map<String, Double> metrics() {
      var metrics = new LinkedHashMap<String, Double>();
      take("metrics")
          .forEach(
              (name, value) -> {
                if (!(value instanceof Number number)) {
                  throw new CheckpointException(where, "a number as metric " + name, value);
                }
                metrics.put(name, number.doubleValue());
              });
      return metrics;
    }

    Map<String, @Nullable Object> rest() {
      return left;
    }

    private Map<String, @Nullable Object> map(String expected, @Nullable Object value) {
      if (!(value instanceof Map<?, ?> map)) {
        throw new CheckpointException(where, expected, value);
      }
      var texts = new LinkedHashMap<String, @Nullable Object>();
      map.forEach(
          (key, held) -> {
            if (!(key instanceof String text)) {
              throw new CheckpointException(where, expected, key);
            }
            texts.put(text, held);
          });
      return texts;
    }
  }
}
