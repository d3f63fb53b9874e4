package io.tranche.trainer.callback;

import io.tranche.env.log.CsvTable;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.checkpoint.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes the metrics of all iterations to `train_result.csv`, and those of all validations to
/// `validation_result.csv`. Qlib: `qlib.rl.trainer.MetricsWriter`, which loses its rows on resume.
///
/// Rewrites the files after each iteration, because a new metric adds a column to every row.
public final class MetricsWriter implements Callback {

  private final Path folder;
  private final List<Map<String, Double>> training = new ArrayList<>();
  private final List<Map<String, Double>> validation = new ArrayList<>();
  private boolean isRestored;

  /// @param folder created if it does not exist
  public MetricsWriter(Path folder) {
    this.folder = folder;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    switch (hook) {
      case FIT_START -> {
        if (isRestored) {
          // Drops the rows that a killed run wrote after its last checkpoint.
          rewrite("train_result.csv", training);
          rewrite("validation_result.csv", validation);
        }
        isRestored = false;
      }
      case TRAIN_END -> add("train_result.csv", training, trainer, false);
      case VALIDATE_END -> add("validation_result.csv", validation, trainer, true);
      default -> {}
    }
  }

  private void add(
      String name, List<Map<String, Double>> rows, Trainer trainer, boolean isValidation) {
    var row = new LinkedHashMap<>(trainer.metrics());
    row.keySet().removeIf(metric -> metric.startsWith(Stage.VALIDATE.prefix()) != isValidation);
    rows.add(row);
    write(name, rows);
  }

  private void rewrite(String name, List<Map<String, Double>> rows) {
    if (rows.isEmpty()) {
      try {
        Files.deleteIfExists(folder.resolve(name));
      } catch (IOException e) {
        throw DataException.unwritable(folder.resolve(name), e);
      }
    } else {
      write(name, rows);
    }
  }

  private void write(String name, List<Map<String, Double>> rows) {
    var records = new ArrayList<Map<String, Object>>();
    for (Map<String, Double> row : rows) {
      var record = new LinkedHashMap<String, Object>();
      record.put("", Integer.toString(records.size())); // the index of pandas
      record.putAll(row);
      records.add(record);
    }
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(folder);
      PendingFile.write(
          file,
          path -> {
            try (var out = Files.newBufferedWriter(path)) {
              CsvTable.write(records, out);
            }
          });
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  @Override
  public Map<String, @Nullable Object> state() {
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("train", List.copyOf(training));
    state.put("validation", List.copyOf(validation));
    return state;
  }

  @Override
  public @Nullable Map<String, @Nullable Object> qlibState() {
    return null;
  }

  @Override
  public void restore(Map<String, @Nullable Object> state) {
    restore(training, States.list(state, "train"));
    restore(validation, States.list(state, "validation"));
    isRestored = true;
  }

  private static void restore(List<Map<String, Double>> rows, List<?> saved) {
    rows.clear();
    for (Object each : saved) {
      if (!(each instanceof Map<?, ?> map)) {
        throw States.wrong("rows", "metrics by name", each);
      }
      var row = new LinkedHashMap<String, Double>();
      map.forEach(
          (name, value) -> {
            if (!(value instanceof Double number)) {
              throw States.wrong(String.valueOf(name), "a number", value);
            }
            row.put(String.valueOf(name), number);
          });
      rows.add(row);
    }
  }
}
