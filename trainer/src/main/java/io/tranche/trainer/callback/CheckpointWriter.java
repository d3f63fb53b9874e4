package io.tranche.trainer.callback;

import io.tranche.config.ConfigException;
import io.tranche.env.log.PythonFormat;
import io.tranche.files.SafeFileName;
import io.tranche.market.DataException;
import io.tranche.policy.weights.TrainerCheckpoint;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.trainer.checkpoint.PlainValues;
import io.tranche.trainer.checkpoint.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Saves the run at intervals. Qlib: `qlib.rl.trainer.Checkpoint`.
///
/// Saves after all callbacks have handled the end of an iteration, so that their saved states are
/// consistent.
public final class CheckpointWriter implements Callback {

  private static final String QLIB_SUFFIX = ".pth";

  private final CheckpointConfig config;
  private final FileNameTemplate names;
  private final InstantSource clock;
  private long lastIteration = -1;
  private @Nullable Instant lastTime;

  /// The name of the file to write next, or null.
  private @Nullable String due;

  private boolean isRestored;

  /// The names of the files that are kept, the oldest first; empty if all are.
  private final List<String> kept = new ArrayList<>();

  /// The last names before those, whose files are deleted.
  private final List<String> dropped = new ArrayList<>();

  /// @param clock for the interval and the field `{time}`
  /// @throws io.tranche.config.ConfigException if the template is wrong
  public CheckpointWriter(CheckpointConfig config, InstantSource clock) {
    this.config = config;
    this.names = new FileNameTemplate(stem(config.filename()));
    this.clock = clock;
  }

  /// Returns what is expected instead of `filename`, or null if nothing is wrong with it, as far as
  /// that can be seen without the metrics of a run.
  public static @Nullable String faultOf(String filename) {
    String stem = stem(filename);
    try {
      String name = new FileNameTemplate(stem).format(1, Instant.EPOCH, null);
      boolean isTaken = name.equals("latest") || name.startsWith(BestCheckpoints.PREFIX);
      return isTaken ? "a name other than those of latest and best checkpoints" : null;
    } catch (ConfigException _) {
      return "a file name with fields such as {iter:03d}, {time} or {val/reward:.2f}";
    }
  }

  @Override
  public String name() {
    return "checkpoint";
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    boolean isDue =
        switch (hook) {
          case ITERATION_END -> isDue(trainer.iterations());
          case FIT_END -> config.atTheEnd() && lastIteration != trainer.iterations();
          default -> false;
        };
    if (hook == Hook.FIT_START) {
      lastIteration = isRestored ? lastIteration : -1;
      lastTime = null;
      if (!isRestored) {
        kept.clear();
        dropped.clear();
      }
      isRestored = false;
    } else if (isDue) {
      lastTime = clock.instant();
      lastIteration = trainer.iterations();
      due = names.format(trainer.iterations(), lastTime, trainer.metrics());
      if (config.keep() != null) {
        keep(due, config.keep());
      }
    }
  }

  /// Remembers a name, and the oldest names as dropped. A run that was killed before it deleted
  /// their files deletes them at its next checkpoint.
  private void keep(String name, int count) {
    kept.remove(name);
    dropped.remove(name);
    kept.add(name);
    while (kept.size() > count) {
      dropped.add(kept.removeFirst());
    }
    while (dropped.size() > count) {
      dropped.removeFirst();
    }
  }

  @Override
  public void after(Hook hook, Trainer trainer) {
    String name = due;
    if (name != null) {
      due = null;
      save(name, trainer);
    }
  }

  private boolean isDue(long iterations) {
    Integer every = config.everyIterations();
    if (every != null && (iterations + (config.savesOneEarly() ? 1 : 0)) % every == 0) {
      return true;
    }
    Duration interval = config.interval();
    return interval != null
        && (lastTime == null
            || Duration.between(lastTime, clock.instant()).compareTo(interval) >= 0);
  }

  private void save(String name, Trainer trainer) {
    Path file = config.folder().resolve(name + CheckpointFile.SUFFIX);
    CheckpointFile.write(file, trainer.checkpoint());
    config.latest().update(file, file.getFileName());
    if (config.writesQlibFiles()) {
      Path pth = config.folder().resolve(name + QLIB_SUFFIX);
      qlibCheckpoint(trainer).write(pth);
      // Absolute, as in Qlib, whose own link is broken if the folder is relative.
      config.latest().update(pth, pth.toAbsolutePath().normalize());
    }
    trainer.saved(file);
    forget();
  }

  /// Deletes the files that are no longer kept.
  private void forget() {
    for (String name : dropped) {
      for (String suffix : List.of(CheckpointFile.SUFFIX, QLIB_SUFFIX)) {
        Path file = config.folder().resolve(name + suffix);
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          throw DataException.unwritable(file, e);
        }
      }
    }
  }

  @SuppressWarnings("NullAway") // the record's class file loses @Nullable of its states
  private static TrainerCheckpoint qlibCheckpoint(Trainer trainer) {
    var callbacks = new LinkedHashMap<String, @Nullable Object>();
    trainer.callbacks().forEach((name, callback) -> callbacks.put(name, callback.qlibState()));
    var loggers = new LinkedHashMap<String, @Nullable Object>();
    trainer.loggers().forEach((name, logger) -> loggers.put(name, PlainValues.of(logger.state())));
    return new TrainerCheckpoint(
        trainer.policyWeights().stateDict(),
        callbacks,
        loggers,
        trainer.isStopping(),
        trainer.iterations(),
        trainer.episodes(),
        trainer.stage().qlibName(),
        trainer.metrics(),
        Map.of());
  }

  private static String stem(String filename) {
    return filename.replaceFirst("\\.(ckpt|pth)\\z", "");
  }

  @Override
  public Map<String, @Nullable Object> state() {
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("last_iteration", lastIteration);
    if (config.keep() != null) {
      state.put("kept", List.copyOf(kept));
      state.put("dropped", List.copyOf(dropped));
    }
    return state;
  }

  @Override
  public @Nullable Map<String, @Nullable Object> qlibState() {
    return null;
  }

  @Override
  public void restore(Map<String, @Nullable Object> state) {
    lastIteration = States.count(state, "last_iteration");
    restore(state, "kept", kept);
    restore(state, "dropped", dropped);
    isRestored = true;
  }

  private static void restore(
      Map<String, @Nullable Object> state, String key, List<String> names) {
    names.clear();
    if (state.containsKey(key)) {
      States.list(state, key).forEach(name -> names.add(String.valueOf(name)));
    }
  }

  /// A file name with fields as for Python's `str.format`: `{iter:03d}`, `{time}`, and any metric,
  /// such as `{val/reward:.2f}`.
  private static final class FileNameTemplate {

    private static final Pattern FIELD = Pattern.compile("\\{([^{}:]*)(:[^{}]*)?}");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

    private final String template;

    /// @throws ConfigException if the braces are unbalanced
    FileNameTemplate(String template) {
      this.template = template;
      if (FIELD.matcher(template).replaceAll("").chars().anyMatch(c -> c == '{' || c == '}')) {
        throw wrong("a file name with fields such as {iter:03d}", template);
      }
    }

    /// @throws ConfigException if a field is unknown, its format is wrong, or the result is not a
    ///   file name
    ///
    /// @param metrics null to take any metric for known
    String format(long iteration, Instant time, @Nullable Map<String, Double> metrics) {
      String name =
          FIELD
              .matcher(template)
              .replaceAll(
                  found ->
                      Matcher.quoteReplacement(
                          field(found.group(1), found.group(2), iteration, time, metrics)));
      if (!SafeFileName.isSafe(name)) {
        throw wrong("fields that give a file name", name);
      }
      return name;
    }

    private String field(
        String name,
        @Nullable String format,
        long iteration,
        Instant time,
        @Nullable Map<String, Double> metrics) {
      try {
        var python = new PythonFormat(format == null ? "" : format);
        if (name.equals("iter")) {
          return python.format(iteration);
        }
        if (name.equals("time")) {
          return time.atZone(ZoneOffset.UTC).format(TIME);
        }
        Double metric = metrics == null ? Double.valueOf(0) : metrics.get(name);
        if (metric != null) {
          return python.format(metric);
        }
      } catch (IllegalArgumentException e) {
        throw wrong("a valid Python format", template + ": " + e.getMessage());
      }
      var known = new TreeSet<String>();
      if (metrics != null) {
        known.addAll(metrics.keySet());
      }
      String validation = Stage.VALIDATE.prefix();
      if (name.startsWith(validation) && known.stream().noneMatch(m -> m.startsWith(validation))) {
        return "none"; // this iteration was not validated
      }
      known.add("iter");
      known.add("time");
      throw wrong("fields from " + known, template);
    }

    private static ConfigException wrong(String expected, String found) {
      return new ConfigException("checkpoint.filename", expected, found);
    }
  }
}
