package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a feature store was made, and from which bars: its `features.yml` and `statistics.yml`.
///
/// @param fingerprint of the bars
/// @param features expression by feature column, in order
/// @param backtest expression by backtest column, in order
/// @param dropped the instruments without features
/// @param notes what was left out, and why
/// @param days the instruments by the number of ticks of their sessions, for which each day was
///   filled up to it; empty if days were left as they are
/// @param isAdjusted whether prices were adjusted by the bars' factor
record FeatureManifest(
    FeatureConfig config,
    String fingerprint,
    Frequency frequency,
    Map<String, String> features,
    Map<String, String> backtest,
    List<GroupStatistics> statistics,
    List<String> dropped,
    List<String> notes,
    Map<Integer, List<String>> days,
    boolean isAdjusted) {

  private static final String FEATURES = "features.yml";
  private static final String STATISTICS = "statistics.yml";
  private static final long FORMAT = 1;

  FeatureManifest {
    features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
    backtest = Collections.unmodifiableMap(new LinkedHashMap<>(backtest));
    statistics = List.copyOf(statistics);
    dropped = List.copyOf(dropped);
    notes = List.copyOf(notes);
    days = Collections.unmodifiableMap(new LinkedHashMap<>(days));
  }

  static boolean isThere(Path folder) {
    return Files.isRegularFile(folder.resolve(FEATURES));
  }

  /// @throws DataException if `folder` is no feature store
  static FeatureManifest read(Path folder) {
    Path file = folder.resolve(FEATURES);
    if (!isThere(folder)) {
      throw new DataException(folder.toString(), "a feature store with " + FEATURES, "none");
    }
    try {
      ConfigNode node = ConfigFiles.load(file);
      if (node.required("format").asLong() != FORMAT) {
        throw node.required("format").wrong("format " + FORMAT);
      }
      return new FeatureManifest(
          FeatureConfig.from(node.required("config"), FeatureConfig.Rules.QLIB),
          node.required("source").asText(),
          Frequency.parse(node.required("frequency").asText()),
          texts(node.required("feature")),
          texts(node.required("backtest")),
          GroupStatistics.all(ConfigFiles.load(folder.resolve(STATISTICS))),
          node.required("dropped").asTexts(),
          node.has("notes") ? node.required("notes").asTexts() : List.of(),
          days(node.written("days")),
          node.booleanOr("adjusted", false));
    } catch (ConfigException | IllegalArgumentException e) {
      throw new DataException(folder.toString(), "a feature store", e.getMessage(), e);
    }
  }

  private static Map<Integer, List<String>> days(@Nullable ConfigNode list) {
    var days = new LinkedHashMap<Integer, List<String>>();
    for (ConfigNode group : list == null ? List.<ConfigNode>of() : list.asList()) {
      days.put(group.required("ticks").asInt(), group.required("instruments").asTexts());
    }
    return days;
  }

  void write(Path folder) throws IOException {
    var yaml = new StringBuilder();
    yaml.append("format: ").append(FORMAT).append('\n');
    yaml.append("frequency: ").append(frequency).append('\n');
    yaml.append("source: \"").append(fingerprint).append("\"\n");
    yaml.append("config:\n").append(config.toYaml().indent(2));
    append(yaml, "feature", features);
    append(yaml, "backtest", backtest);
    yaml.append("dropped: ").append(FeatureConfig.listed(dropped)).append('\n');
    if (!notes.isEmpty()) {
      yaml.append("notes: ").append(FeatureConfig.listed(notes)).append('\n');
    }
    if (!days.isEmpty()) {
      yaml.append("days:\n");
      days.forEach(
          (ticks, codes) ->
              yaml.append("- ticks: %d\n".formatted(ticks))
                  .append("  instruments: %s\n".formatted(FeatureConfig.listed(codes))));
      yaml.append("adjusted: ").append(isAdjusted).append('\n');
    }
    Files.writeString(folder.resolve(FEATURES), yaml);
    yaml.setLength(0);
    for (GroupStatistics group : statistics) {
      yaml.append(group.name()).append(":\n").append(group.toYaml().indent(2));
    }
    Files.writeString(folder.resolve(STATISTICS), yaml);
  }

  /// Refuses a store at `folder` that another configuration made, and names the difference.
  void requireConfig(Path folder, FeatureConfig wanted) {
    if (!wanted.equals(config)) {
      String[] here = config.toYaml().split("\n", -1);
      String[] asked = wanted.toYaml().split("\n", -1);
      var differences = new ArrayList<String>();
      for (int i = 0; i < here.length; i++) { // both have one line per key
        if (!here[i].equals(asked[i])) {
          differences.add(asked[i] + " (there: " + here[i] + ")");
        }
      }
      throw new ConfigException(
          folder.toString(),
          "a new folder, or features of the same configuration",
          String.join("; ", differences));
    }
  }

  /// Refuses a store at `folder` that was made from other bars.
  void requireBars(Path folder, String bars) {
    if (!bars.equals(fingerprint)) {
      throw new DataException(
          folder.toString(),
          "a new folder, or features of the same bars (fingerprint %s)".formatted(bars),
          fingerprint);
    }
  }

  private static void append(StringBuilder yaml, String key, Map<String, String> texts) {
    yaml.append(key).append(":\n");
    texts.forEach((name, text) -> yaml.append("  \"%s\": \"%s\"\n".formatted(name, text)));
  }

  private static Map<String, String> texts(ConfigNode node) {
    var texts = new LinkedHashMap<String, String>();
    for (String key : node.keys()) {
      texts.put(key, node.required(key).asText());
    }
    return texts;
  }
}
