package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.PendingFile;
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
import java.util.TreeMap;
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
    var values = new LinkedHashMap<String, Object>();
    values.put("format", FORMAT);
    values.put("frequency", frequency.toString());
    values.put("source", fingerprint);
    values.put("config", config.toConfig());
    values.put("feature", features);
    values.put("backtest", backtest);
    values.put("dropped", dropped);
    if (!notes.isEmpty()) {
      values.put("notes", notes);
    }
    if (!days.isEmpty()) {
      var groups = new ArrayList<Map<String, Object>>();
      days.forEach(
          (ticks, codes) ->
              groups.add(new TreeMap<>(Map.of("ticks", ticks, "instruments", codes))));
      values.put("days", groups);
      values.put("adjusted", isAdjusted);
    }
    write(folder.resolve(FEATURES), values);
    var groups = new LinkedHashMap<String, Object>();
    statistics.forEach(group -> groups.put(group.name(), group.toMap()));
    write(folder.resolve(STATISTICS), groups);
  }

  private static void write(Path file, Map<String, Object> values) throws IOException {
    PendingFile.write(file, ConfigFiles.of("features", values).toYaml());
  }

  /// Refuses a store at `folder` that another configuration made, and names the difference.
  void requireConfig(Path folder, FeatureConfig wanted) {
    if (!wanted.equals(config)) {
      ConfigNode here = config.toConfig();
      ConfigNode asked = wanted.toConfig();
      var differences = new ArrayList<String>();
      for (String key : asked.keys()) {
        String is = here.required(key).toLine();
        String should = asked.required(key).toLine();
        if (!is.equals(should)) {
          differences.add("%s: %s (there: %s)".formatted(key, should, is));
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

  private static Map<String, String> texts(ConfigNode node) {
    var texts = new LinkedHashMap<String, String>();
    for (String key : node.keys()) {
      texts.put(key, node.required(key).asText());
    }
    return texts;
  }
}
