package io.tranche.conformance.learning;

import io.tranche.config.ConfigException;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.conformance.learning.ToyTraining.Counting;
import io.tranche.env.LogWriter;
import io.tranche.env.Policy;
import io.tranche.env.log.ConsoleWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.vector.OnFailure;
import io.tranche.market.DataException;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.QlibQuirks;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainerConfig;
import io.tranche.trainer.TrainingVessel;
import io.tranche.trainer.VesselConfig;
import io.tranche.trainer.callback.Better;
import io.tranche.trainer.callback.CheckpointConfig;
import io.tranche.trainer.callback.CheckpointWriter;
import io.tranche.trainer.callback.EarlyStopping;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import io.tranche.trainer.callback.MetricsWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One case of the `trainer` topic: a run of the toy with two tracing callbacks around the others,
/// and maybe a test and a resume after it.
final class TrainerCase {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final UpdateSettings NO_SETTINGS = new UpdateSettings(0, 1, Batching.EPISODES);

  private final JsonNode input;
  private final List<String> loggerNames;
  private final Path folder;
  private final Counting algorithm = new Counting();
  private Trainer trainer;
  private ArrayNode hooks = JSON.arrayNode();
  private boolean hasMetrics;
  private @Nullable EarlyStopping earlyStopping;

  TrainerCase(JsonNode testCase, Path folder) {
    this.input = testCase.get("input");
    this.folder = folder;
    // Only the names of its loggers show which ones a case was given.
    this.loggerNames =
        testCase
            .get("expected")
            .path("named_loggers")
            .valueStream()
            .map(JsonNode::asString)
            .toList();
    this.trainer = newTrainer(input.get("max_iters").intValue());
  }

  JsonNode run() throws IOException {
    var toy = new ToyTraining(input, () -> trainer);
    try {
      trainer.fit(vessel(toy));
    } catch (ConfigException | IllegalStateException e) {
      ObjectNode answer = JSON.objectNode();
      answer.set("hooks", hooks);
      throw new Topic.Stopped(e, finished(answer, toy));
    }
    ObjectNode answer = JSON.objectNode();
    answer.set("hooks", hooks);
    if (input.get("test_after_fit").booleanValue()) {
      hooks = JSON.arrayNode();
      trainer.test(vessel(toy));
      answer.set("test_hooks", hooks);
    }
    finished(answer, toy);
    if (!input.get("resume_from").isNull()) {
      answer.set("resumed", resumed(toy));
    }
    return answer;
  }

  /// Adds what a run leaves behind, wherever it ended.
  private ObjectNode finished(ObjectNode answer, ToyTraining toy) throws IOException {
    ObjectNode end = counters();
    end.set("metrics", GoldenValue.tree(trainer.metrics()));
    answer.set("final", end);
    answer.put("n_update_calls", algorithm.updates.size());
    answer.set("update_call_transitions", GoldenValue.tree(algorithm.updates));
    answer.set("update_call_kwargs", settings());
    answer.set("episodes_started", GoldenValue.tree(toy.started));
    answer.set("files", RunFiles.files(folder));
    answer.set("csv", RunFiles.tables(folder));
    answer.set("named_callbacks", GoldenValue.tree(trainer.callbacks().keySet()));
    answer.set("named_loggers", GoldenValue.tree(trainer.loggers().keySet()));
    answer.set("checkpoints", RunFiles.checkpoints(folder));
    return answer;
  }

  private JsonNode resumed(ToyTraining toy) throws IOException {
    hooks = JSON.arrayNode();
    int before = algorithm.updates.size();
    trainer = newTrainer(input.get("resume_max_iters").intValue());
    String saved = input.get("resume_from").asString().replace(".pth", ".ckpt");
    trainer.resume(vessel(toy), folder.resolve(saved));
    ObjectNode answer = counters();
    answer.putNull("error");
    answer.set("hooks", hooks);
    answer.put("n_update_calls", algorithm.updates.size() - before);
    if (earlyStopping != null) {
      Map<String, @Nullable Object> state = earlyStopping.state();
      state.remove("best_weights");
      answer.set("earlystopping_state", GoldenValue.tree(state));
    }
    answer.set("csv", RunFiles.tables(folder));
    return answer;
  }

  private ObjectNode counters() {
    return JSON.objectNode()
        .put("current_iter", trainer.iterations())
        .put("current_episode", trainer.episodes())
        .put("should_stop", trainer.isStopping())
        .put("policy_w", algorithm.weight());
  }

  private JsonNode settings() {
    UpdateSettings last = algorithm.lastSettings;
    if (last == null) {
      return JSON.nullNode();
    }
    ObjectNode settings = JSON.objectNode();
    return last.equals(NO_SETTINGS)
        ? settings
        : settings.put("batch_size", last.batchSize()).put("repeat", last.repeat());
  }

  private TrainingVessel<Integer, ToyTraining.Nothing> vessel(ToyTraining toy) {
    JsonNode update = input.get("update_kwargs");
    return new TrainingVessel<>(
        toy.problem(),
        algorithm,
        states("n_train"),
        states("n_val"),
        states("n_test"),
        new VesselConfig(
            VesselConfig.BUFFER_SIZE,
            input.get("episode_per_iter").intValue(),
            update.isEmpty()
                ? NO_SETTINGS
                : new UpdateSettings(
                    update.get("batch_size").intValue(),
                    update.get("repeat").intValue(),
                    Batching.EPISODES)));
  }

  private @Nullable InitialStates<Integer> states(String count) {
    Integer size = number(count);
    return size == null ? null : InitialStates.of(IntStream.range(0, size).boxed().toList());
  }

  private @Nullable Integer number(String name) {
    return input.get(name).isNull() ? null : (Integer) input.get(name).intValue();
  }

  private Trainer newTrainer(int maxIterations) {
    var callbacks = new ArrayList<Callback>();
    callbacks.add(new Tracer("first"));
    input.get("callbacks").forEach(spec -> callbacks.add(callback(spec)));
    callbacks.add(new Tracer("last"));
    var config =
        new TrainerConfig(
            0,
            maxIterations,
            number("val_every_n_iters"),
            input.get("concurrency").intValue(),
            1,
            number("fast_dev_run"),
            OnFailure.PROPAGATE,
            QlibQuirks.ALL,
            "");
    List<LogWriter> loggers =
        loggerNames.stream()
            .filter(name -> name.startsWith("consolewriter"))
            .<LogWriter>map(
                _ -> new EpisodeLog(new ConsoleWriter(_ -> {}, ConsoleWriter.Style.DEFAULT)))
            .toList();
    return new Trainer(config, callbacks, loggers);
  }

  private Callback callback(JsonNode spec) {
    String type = spec.get("class").asString();
    return switch (type) {
      case "EarlyStopping" -> {
        earlyStopping =
            new EarlyStopping(
                new EarlyStoppingConfig(
                    spec.path("monitor").asString("reward"),
                    spec.path("min_delta").asDouble(0),
                    spec.path("patience").asInt(0),
                    spec.path("mode").asString("max").equals("max") ? Better.HIGHER : Better.LOWER,
                    spec.path("baseline").isNumber()
                        ? (Double) spec.get("baseline").doubleValue()
                        : null,
                    spec.path("restore_best_weights").asBoolean(false),
                    true));
        yield earlyStopping;
      }
      case "Checkpoint" ->
          new CheckpointWriter(checkpoint(spec), InstantSource.fixed(Instant.EPOCH));
      case "MetricsWriter" -> new MetricsWriter(folder.resolve(spec.get("dirpath").asString()));
      default -> throw new DataException("input.callbacks", "a callback of Qlib", type);
    };
  }

  private CheckpointConfig checkpoint(JsonNode spec) {
    JsonNode latest = spec.path("save_latest");
    JsonNode every = spec.path("every_n_iters");
    JsonNode interval = spec.path("time_interval");
    return new CheckpointConfig(
        folder.resolve(spec.get("dirpath").asString()),
        spec.path("filename").asString("{iter:03d}.pth"),
        switch (latest.isNull() ? "none" : latest.asString("link")) {
          case "link" -> CheckpointConfig.Latest.LINK;
          case "copy" -> CheckpointConfig.Latest.COPY;
          default -> CheckpointConfig.Latest.NONE;
        },
        every.isNumber() ? (Integer) every.intValue() : null,
        interval.isNumber() ? Duration.ofSeconds(interval.longValue()) : null,
        spec.path("save_on_fit_end").asBoolean(true),
        null,
        true,
        true);
  }

  /// Records the state of the trainer at every hook.
  private final class Tracer implements Callback {
    private final String tag;

    Tracer(String tag) {
      this.tag = tag;
    }

    @Override
    public void on(Hook hook, Trainer seen) {
      ObjectNode record = JSON.objectNode().put("hook", qlibName(hook)).put("tracer", tag);
      record.put("current_iter", seen.iterations());
      record.put("current_episode", seen.episodes());
      record.put("current_stage", seen.stage().qlibName());
      record.put("should_stop", seen.isStopping());
      // Qlib's trainer has none at all before its first iteration.
      hasMetrics |= hook == Hook.ITERATION_START;
      record.set("metrics", hasMetrics ? GoldenValue.tree(seen.metrics()) : JSON.nullNode());
      record.put("policy_w", algorithm.weight());
      record.put("policy_training", algorithm.lastMode == Policy.Mode.TRAIN);
      hooks.add(record);
    }

    private static String qlibName(Hook hook) {
      return "on_" + hook.name().toLowerCase(Locale.ROOT).replace("iteration", "iter");
    }
  }
}
