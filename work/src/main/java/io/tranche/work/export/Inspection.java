package io.tranche.work.export;

import io.tranche.backtest.Frictions;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.files.Archive;
import io.tranche.market.BarTime;
import io.tranche.market.Session;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.WeightFiles;
import io.tranche.run.ExecutionRun;
import io.tranche.run.Part;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.Lineage;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.ReferenceStatistics;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The content of a weight file: a bundle, a checkpoint, or a file of torch or safetensors.
///
/// Facts are plain values by name, in reading order.
public final class Inspection {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Inspection() {}

  /// @throws CheckpointException if the file is missing, damaged or of another kind
  public static Map<String, @Nullable Object> of(Path file) {
    if (file.toString().endsWith(".onnx")) {
      throw new CheckpointException(
          file.toString(),
          "a bundle, a checkpoint, a .pth or a .safetensors file",
          "an ONNX graph, which ONNX tools can show");
    }
    if (!CheckpointFile.isArchive(file)) {
      return weights(file);
    }
    try {
      return Archive.formatName(file).equals(BundleFile.FORMAT.name())
          ? bundle(file)
          : checkpoint(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    } catch (ConfigException e) {
      throw CheckpointException.of(e);
    }
  }

  /// Returns facts as JSON. Numbers that JSON cannot write are texts, such as "NaN".
  public static String json(Map<String, @Nullable Object> facts) {
    return JSON.writeValueAsString(facts);
  }

  private static Map<String, @Nullable Object> bundle(Path file) {
    ModelBundle bundle = BundleFile.read(file);
    ModelSpec spec = bundle.spec();
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("file", file.toString());
    facts.put("kind", "a model bundle");
    facts.put("model", model(bundle));
    facts.put("schedule", schedule(spec));
    DeviationGuard guard = spec.guard();
    if (guard != null) {
      facts.put("guard", guard.toString());
    }
    if (!spec.frictions().equals(Frictions.NONE)) {
      facts.put("frictions", frictions(spec.frictions()));
    }
    facts.put("features", plain(spec.toConfig().required("features")));
    Lineage lineage = bundle.lineage();
    facts.put("trained_from", text(lineage.firstDay()));
    facts.put("trained_to", text(lineage.lastDay()));
    facts.put("metrics", bundle.metrics());
    facts.put("lineage", lineage(lineage));
    ReferenceStatistics reference = bundle.reference();
    if (reference != null) {
      facts.put("reference", reference(reference));
    }
    var parts = new ArrayList<Map<String, @Nullable Object>>();
    for (BundleFile.Part each : BundleFile.parts(file)) {
      var part = new LinkedHashMap<String, @Nullable Object>();
      part.put("part", each.name());
      part.put("bytes", each.bytes());
      part.put("sha256", each.sha256());
      parts.add(part);
    }
    facts.put("parts", parts);
    return facts;
  }

  private static Map<String, @Nullable Object> model(ModelBundle bundle) {
    ModelSpec spec = bundle.spec();
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("network", component(spec.network()));
    facts.put("parameters", parameters(bundle.members().getFirst()));
    facts.put("precision", bundle.precision().label());
    facts.put("policy", component(spec.policy()));
    facts.put("actions", actions(spec.actions()));
    facts.put("members", bundle.members().size());
    facts.put("combination", spec.combination().name().toLowerCase(Locale.ROOT));
    facts.put("dialect", spec.isQlib() ? "qlib" : "tranche");
    return facts;
  }

  private static Map<String, @Nullable Object> schedule(ModelSpec spec) {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("session", spec.session().name());
    facts.put("hours", hours(spec.session()));
    if (!spec.sessions().isEmpty()) {
      var others = new LinkedHashMap<String, @Nullable Object>();
      spec.sessions().forEach((instrument, session) -> others.put(instrument, hours(session)));
      facts.put("other_hours", others);
    }
    facts.put("frequency", spec.frequency().toString());
    facts.put("ticks", spec.ticks());
    facts.put("decisions", spec.maxSteps());
    facts.put("ticks_per_decision", spec.ticksPerStep());
    facts.put("minutes_per_decision", spec.ticksPerStep() * spec.frequency().seconds() / 60.0);
    facts.put("buys_shown_as_sells", spec.mirrors());
    return facts;
  }

  private static String hours(Session session) {
    return session.segments().stream()
        .map(each -> time(each.open()) + " to " + time(each.close()))
        .collect(Collectors.joining(", "));
  }

  private static Map<String, @Nullable Object> frictions(Frictions frictions) {
    var facts = new LinkedHashMap<String, @Nullable Object>(FrictionSettings.describe(frictions));
    if (facts.get("costs") instanceof Map<?, ?> costs) {
      var known = new LinkedHashMap<>(costs);
      known.values().removeIf(Objects::isNull); // what is off
      facts.put("costs", known);
    }
    return facts;
  }

  private static String time(int second) {
    return second == BarTime.SECONDS_A_DAY
        ? "24:00"
        : LocalTime.ofSecondOfDay(Math.floorMod(second, BarTime.SECONDS_A_DAY)).toString();
  }

  private static Map<String, @Nullable Object> lineage(Lineage lineage) {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("config_sha256", lineage.configSha256());
    facts.put("orders_sha256", lineage.ordersSha256());
    facts.put("data_sha256", lineage.dataSha256());
    facts.put("tranche", lineage.version());
    facts.put("commit", lineage.commit());
    var sources = new ArrayList<Map<String, @Nullable Object>>();
    for (Lineage.Source each : lineage.sources()) {
      var source = new LinkedHashMap<String, @Nullable Object>();
      source.put("file", each.file());
      source.put("iteration", each.iteration());
      source.put("sha256", each.sha256());
      sources.add(source);
    }
    facts.put("sources", sources);
    return facts;
  }

  private static Map<String, @Nullable Object> reference(ReferenceStatistics statistics) {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("orders", statistics.orders());
    facts.put("decisions", statistics.decisions());
    facts.put("actions", statistics.actions());
    var features = new ArrayList<Map<String, @Nullable Object>>();
    for (ReferenceStatistics.Feature each : statistics.features()) {
      var feature = new LinkedHashMap<String, @Nullable Object>();
      feature.put("name", each.name());
      feature.put("mean", each.mean());
      feature.put("deviation", each.deviation());
      feature.put("edges", each.edges());
      feature.put("shares", each.shares());
      features.add(feature);
    }
    facts.put("features", features);
    return facts;
  }

  private static Map<String, @Nullable Object> checkpoint(Path file) {
    Checkpoint checkpoint = CheckpointFile.read(file);
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("file", file.toString());
    facts.put("kind", "a checkpoint of Tranche");
    facts.put("iterations", checkpoint.position().iterations());
    facts.put("episodes", checkpoint.position().episodes());
    ExecutionRun run = ExecutionRun.ofCheckpoint(file, checkpoint);
    if (run != null) {
      Part<?> network = run.agent().network();
      facts.put("network", network == null ? null : component(network.describe()));
      facts.put("policy", component(run.agent().policy().describe()));
      facts.put("action_interpreter", component(run.problem().actionInterpreter().describe()));
    }
    facts.put("parameters", parameters(checkpoint.policy()));
    facts.put("metrics", checkpoint.metrics());
    facts.put("tensors", tensors(checkpoint.policy()));
    return facts;
  }

  private static Map<String, @Nullable Object> weights(Path file) {
    StateDict weights = WeightFiles.read(file);
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("file", file.toString());
    facts.put("kind", "weights alone");
    facts.put("parameters", parameters(weights));
    facts.put("tensors", tensors(weights));
    return facts;
  }

  /// Returns the number of weights; a tensor with several names counts once.
  private static long parameters(StateDict weights) {
    return new HashSet<>(weights.tensors().values())
        .stream().mapToLong(tensor -> tensor.size()).sum();
  }

  private static Map<String, @Nullable Object> tensors(StateDict weights) {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    weights.tensors().forEach((name, tensor) -> facts.put(name, "float32 " + tensor.shape()));
    return facts;
  }

  private static Object actions(ConfigNode node) {
    var actions =
        ExecutionCatalog.actionInterpreters().withInstalled().make(ComponentSpec.from(node));
    return actions instanceof CategoricalInterpreter categorical
        ? "shares of the order: "
            + categorical.shares().stream().map(String::valueOf).collect(Collectors.joining(", "))
        : component(node);
  }

  private static String component(ConfigNode node) {
    ComponentSpec spec = ComponentSpec.from(node);
    String settings =
        spec.kwargs().keys().stream()
            .map(key -> key + " " + spec.kwargs().required(key).toLine())
            .collect(Collectors.joining(", "));
    return settings.isEmpty() ? spec.name() : spec.name() + ": " + settings;
  }

  private static @Nullable Object plain(ConfigNode node) {
    if (node.isMapping()) {
      var map = new LinkedHashMap<String, @Nullable Object>();
      node.keys().forEach(key -> map.put(key, plain(node.required(key))));
      return map;
    }
    if (node.isList()) {
      var list = new ArrayList<@Nullable Object>();
      node.asList().forEach(item -> list.add(plain(item)));
      return list;
    }
    return node.scalar();
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
