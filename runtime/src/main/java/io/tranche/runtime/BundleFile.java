package io.tranche.runtime;

import io.tranche.policy.learn.AgentSpec;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.config.ComponentSpec;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.files.Archive;
import io.tranche.files.ArchiveFormat;
import io.tranche.files.Sha256;
import io.tranche.market.DataException;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.PackedWeights;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A [ModelBundle] in a file (docs/bundle.md): a zip of safetensors, YAML and JSON, nothing
/// compressed, nothing executed.
///
/// Equal bundles give equal bytes. A file becomes visible only when it is complete. It is used only
/// after every byte of every part was checked against the manifest, and the parts against each
/// other.
public final class BundleFile {

  /// The file name extension of bundles.
  public static final String SUFFIX = ".tranche";

  /// The archive format of bundles. Version 1 had one session and no frictions.
  public static final ArchiveFormat FORMAT = new ArchiveFormat("tranche-model", 2, true);

  private static final String MODEL = "model.yml";
  private static final String LINEAGE = "lineage.json";
  private static final String METRICS = "metrics.json";
  private static final String REFERENCE = "reference.json";

  /// The key that [#MODEL] has in addition to the spec, unless the weights are in float32.
  private static final String PRECISION = "precision";

  /// A part of the file, as the manifest lists it.
  public record Part(String name, long bytes, String sha256) {}

  private BundleFile() {}

  /// Writes a bundle, and creates missing folders.
  ///
  /// @throws CheckpointException if its weights do not fit its network
  /// @throws DataException if it cannot be written; an existing file is kept, and nothing is left
  ///   over
  public static void write(Path file, ModelBundle bundle) {
    requireFit(file, bundle.spec(), bundle.members());
    try {
      Archive.write(FORMAT, parts(bundle), file);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Returns how many bytes [#write] would write.
  public static long size(ModelBundle bundle) {
    var out = new ByteArrayOutputStream();
    try {
      Archive.write(FORMAT, parts(bundle), out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
    return out.size();
  }

  private static Map<String, byte[]> parts(ModelBundle bundle) {
    var parts = new LinkedHashMap<String, byte[]>();
    parts.put(MODEL, model(bundle).getBytes(UTF_8));
    parts.put(LINEAGE, bundle.lineage().toJson());
    parts.put(METRICS, PlainJson.write(bundle.metrics()));
    ReferenceStatistics reference = bundle.reference();
    if (reference != null) {
      parts.put(REFERENCE, reference.toJson());
    }
    for (int i = 0; i < bundle.members().size(); i++) {
      parts.put(weights(i), PackedWeights.write(bundle.members().get(i), bundle.precision()));
    }
    return parts;
  }

  private static String model(ModelBundle bundle) {
    ConfigNode spec = bundle.spec().toConfig();
    return bundle.precision() == Precision.FLOAT32
        ? spec.toYaml()
        : spec.with(PRECISION + "=" + bundle.precision().label()).toYaml();
  }

  private static String weights(int member) {
    return "weights/%d.safetensors".formatted(member);
  }

  private static void requireFit(Path file, ModelSpec spec, List<StateDict> members) {
    for (int i = 0; i < members.size(); i++) {
      requireFit(file + ": " + weights(i), spec, members.get(i));
    }
  }

  /// @throws CheckpointException naming file, part, what was expected and what was found, if the
  ///   file is missing, damaged, truncated, of a newer version or not a bundle
  public static ModelBundle read(Path file) {
    try {
      return bundle(file, Archive.read(FORMAT, file));
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  private static ModelBundle bundle(Path file, Archive archive) throws IOException {
    ModelSpec spec;
    Precision precision;
    try {
      var model = ConfigFiles.parse(file + ": " + MODEL, new String(archive.entry(MODEL), UTF_8));
      ConfigNode node = model.written(PRECISION);
      precision =
          node == null ? Precision.FLOAT32 : Precision.of(node.asChoice(Precision.labels()));
      spec = ModelSpec.from(model.without(PRECISION));
    } catch (ConfigException e) {
      throw CheckpointException.of(e);
    }
    Lineage lineage = Lineage.read(file + ": " + LINEAGE, archive.entry(LINEAGE));
    String metrics = file + ": " + METRICS;
    Map<String, Double> numbers =
        new Fields(metrics, PlainJson.read(metrics, archive.entry(METRICS))).numbers();
    int count = lineage.sources().size();
    if (count < 1 || count > ModelBundle.MAX_MEMBERS) {
      throw new CheckpointException(
          file + ": " + LINEAGE, "1 to %d sources".formatted(ModelBundle.MAX_MEMBERS), count);
    }
    var members = new ArrayList<StateDict>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = archive.entry(weights(i));
      members.add(PackedWeights.read(file + ": " + weights(i), bytes, precision));
    }
    requireNoMore(file, archive, count);
    requireFit(file, spec, members);
    ReferenceStatistics reference =
        archive.entries().containsKey(REFERENCE)
            ? ReferenceStatistics.read(file + ": " + REFERENCE, archive.entry(REFERENCE), spec)
            : null;
    return new ModelBundle(spec, members, lineage, numbers, precision, reference);
  }

  private static void requireNoMore(Path file, Archive archive, int members) {
    var known = new ArrayList<>(List.of(MODEL, LINEAGE, METRICS, REFERENCE));
    for (int i = 0; i < members; i++) {
      known.add(weights(i));
    }
    for (String name : archive.entries().keySet()) {
      if (!known.contains(name)) {
        throw new CheckpointException(file.toString(), "no part besides " + known, name);
      }
    }
  }

  /// Returns the parts of a bundle.
  ///
  /// @throws CheckpointException as [#read]
  public static List<Part> parts(Path file) {
    try {
      var parts = new ArrayList<Part>();
      Archive.read(FORMAT, file)
          .entries()
          .forEach((name, bytes) -> parts.add(new Part(name, bytes.length, Sha256.of(bytes))));
      return parts;
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Checks that weights fit the network of their model.
  ///
  /// The sizes of the network come from a file. The network must not become larger than the weights
  /// beside it, so a wrong size cannot make it allocate more memory than the file accounts for.
  ///
  /// @param where the name of the weights in errors
  /// @throws CheckpointException naming every tensor of the network that is missing or has another
  ///   shape, and every tensor that is not finite
  private static void requireFit(String where, ModelSpec spec, StateDict member) {
    AgentSpec<?> agent = agent(spec);
    if (agent != null && !agent.hasNetwork()) {
      agent.load(where, member);
      return;
    }
    var problems = new ArrayList<String>();
    for (Parameter parameter : network(where, spec, size(where, member)).parameters()) {
      Tensor tensor = find(member, parameter.name());
      if (tensor == null) {
        problems.add("missing %s %s".formatted(parameter.name(), parameter.shape()));
      } else if (!tensor.shape().equals(parameter.shape())) {
        problems.add(
            "%s of shape %s instead of %s"
                .formatted(parameter.name(), tensor.shape(), parameter.shape()));
      }
    }
    member
        .tensors()
        .forEach(
            (name, tensor) -> {
              if (!tensor.isFinite()) {
                problems.add(name + " not finite");
              }
            });
    if (!problems.isEmpty()) {
      throw new CheckpointException(
          where, "the weights of this model", "a file with " + String.join("; ", problems));
    }
  }

  /// Returns null if the spec names no known agent; opening the model says why.
  private static @Nullable AgentSpec<?> agent(ModelSpec spec) {
    try {
      return spec.agent(
          ExecutionCatalog.actionInterpreters()
              .withInstalled()
              .make(ComponentSpec.from(spec.actions()))
              .actionSpace());
    } catch (ConfigException _) {
      return null;
    }
  }

  private static int size(String where, StateDict member) {
    long size = 0;
    for (Tensor tensor : member.tensors().values()) {
      size += tensor.size();
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new CheckpointException(where, "numbers that fit one array", size);
    }
    return (int) size;
  }

  private static Weights network(String where, ModelSpec spec, int most) {
    var weights = Weights.upTo(most);
    try {
      var _ =
          PolicyCatalog.network(spec.network(), spec.context(new Space.Discrete(1)))
              .create(weights, "");
      return weights;
    } catch (ConfigException e) {
      throw CheckpointException.of(e);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(where, "the weights of this model", e.getMessage(), e);
    }
  }

  /// Algorithms put a prefix before the names of their networks.
  private static @Nullable Tensor find(StateDict member, String name) {
    for (var each : member.tensors().entrySet()) {
      if (each.getKey().endsWith("." + name)) {
        return each.getValue();
      }
    }
    return null;
  }
}
