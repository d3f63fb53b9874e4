package io.tranche.analysis.doctor;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderFiles;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.trainer.checkpoint.CheckpointFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a run left behind: its configuration, its metrics, its process and its checkpoints.
///
/// @param run as `config.yml` says
/// @param metrics one line per iteration
/// @param process likewise; empty for a run of an older version
/// @param newest the checkpoint with the most iterations; null if there is none
/// @param trained as that checkpoint says; null if it does not
/// @param now when the facts were read
record RunFacts(
    RunFolder folder,
    ConfigNode config,
    ExecutionRun run,
    List<Map<String, @Nullable Object>> metrics,
    List<Map<String, @Nullable Object>> process,
    @Nullable Checkpoint newest,
    @Nullable ConfigNode trained,
    Instant now) {

  private static final String VALIDATION = "val/";

  /// @throws ConfigException if the folder is no run
  static RunFacts read(Path path, Instant now) {
    var folder = new RunFolder(path);
    if (!Files.isRegularFile(folder.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train", path);
    }
    ConfigNode config = ConfigFiles.load(folder.config());
    CheckpointFolder.Found newest = CheckpointFolder.newest(folder.checkpoints(), _ -> {});
    Checkpoint checkpoint = newest == null ? null : newest.checkpoint();
    return new RunFacts(
        folder,
        config,
        ExecutionRun.readTrained(config, _ -> {}),
        lines(folder.metrics()),
        lines(folder.process()),
        checkpoint,
        newest == null ? null : ExecutionRun.config(newest.file(), newest.checkpoint()),
        now);
  }

  private static List<Map<String, @Nullable Object>> lines(Path file) {
    if (!Files.exists(file)) {
      return List.of();
    }
    var lines = new ArrayList<Map<String, @Nullable Object>>();
    try {
      for (String line : Files.readAllLines(file)) {
        lines.add(PlainJson.read(file.toString(), line.getBytes(StandardCharsets.UTF_8)));
      }
    } catch (CheckpointException | IllegalArgumentException e) {
      // The last line of a killed run may be half written.
      return lines;
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage());
    }
    return lines;
  }

  /// Returns the values of a metric where there are any; texts such as NaN as numbers.
  List<Double> values(String metric) {
    return numbers(metrics, metric);
  }

  static List<Double> numbers(List<Map<String, @Nullable Object>> lines, String key) {
    var values = new ArrayList<Double>();
    for (Map<String, @Nullable Object> line : lines) {
      switch (line.get(key)) {
        case Number number -> values.add(number.doubleValue());
        case String text when text.matches("NaN|-?Infinity") -> values.add(Double.valueOf(text));
        case null, default -> {}
      }
    }
    return values;
  }

  /// Returns when the run was put together.
  Instant begun() {
    try {
      return Files.getLastModifiedTime(folder.config()).toInstant();
    } catch (IOException e) {
      throw new DataException(
          folder.config().toString(), "a file that can be read", e.getMessage());
    }
  }

  /// Returns the names of all metrics.
  Set<String> names() {
    var names = new TreeSet<String>();
    metrics.forEach(line -> names.addAll(line.keySet()));
    return names;
  }

  List<Map<String, @Nullable Object>> validated() {
    return metrics.stream()
        .filter(line -> line.keySet().stream().anyMatch(name -> name.startsWith(VALIDATION)))
        .toList();
  }

  /// Returns how many days the orders of a stage have; null if that cannot be told.
  @Nullable Long days(String stage) {
    if (!(run.data() instanceof BarData data)) {
      return null;
    }
    Path orders =
        data.orders() instanceof Orders.Folder(Path given)
            ? given
            : folder.data().resolve("orders");
    try {
      return OrderFiles.read(orders.resolve(stage), LocalTime.MIN, LocalTime.of(23, 59)).stream()
          .map(Order::date)
          .distinct()
          .count();
    } catch (DataException | IllegalArgumentException _) {
      return null;
    }
  }

  /// Returns the names of the weights that the policy starts from; null if it starts from none.
  @Nullable Set<String> startingWeights() {
    String file = weightFile();
    try {
      return file == null ? null : CheckpointFile.policyState(Path.of(file)).tensors().keySet();
    } catch (CheckpointException | DataException _) {
      return Set.of();
    }
  }

  @Nullable String weightFile() {
    ConfigNode settings = config.required("policy").optional("kwargs");
    ConfigNode file = settings == null ? null : settings.optional("weight_file");
    return file == null ? null : file.asText();
  }

  /// Whether a section of `config.yml` is not the one that the checkpoints were trained with.
  boolean hasChanged(String section) {
    ConfigNode before = trained == null ? null : trained.optional(section);
    ConfigNode after = config.optional(section);
    return trained != null && !text(before).equals(text(after));
  }

  private static String text(@Nullable ConfigNode node) {
    return node == null ? "" : node.toYaml();
  }
}
