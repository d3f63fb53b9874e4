package io.tranche.dashboard.runs;

import io.tranche.analysis.doctor.Doctor;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.DataException;
import io.tranche.market.check.CheckOptions;
import io.tranche.market.check.CheckReport;
import io.tranche.market.check.DataCheck;
import io.tranche.market.check.Finding;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What may be wrong with a run and its data: what `tranche doctor` and `tranche data check` say.
public final class RunHealth {

  /// More takes too long for a page, and too much of the dashboard's memory.
  private static final long LARGEST = 32L << 20;

  private static final CheckOptions OPTIONS =
      new CheckOptions(CheckOptions.DEFAULT.mapping(), 5, CheckOptions.DEFAULT.longRun());

  private final InstantSource clock;

  public RunHealth(InstantSource clock) {
    this.clock = clock;
  }

  public Map<String, @Nullable Object> of(RunEntry run) {
    var health = new LinkedHashMap<String, @Nullable Object>();
    health.put("diagnoses", List.of());
    health.put("data", List.of());
    try {
      health.put("diagnoses", Doctor.ofRun(run.folder(), clock.instant()));
      health.put("data", paths(run).stream().map(RunHealth::check).toList());
    } catch (ConfigException | DataException | CheckpointException e) {
      health.put("problem", e.getMessage());
    }
    return health;
  }

  /// Returns where the bars and orders of a run are.
  private static List<Path> paths(RunEntry run) {
    var folder = new RunFolder(run.folder());
    var paths = new ArrayList<Path>();
    ExecutionRun trained = ExecutionRun.readTrained(ConfigFiles.load(folder.config()), _ -> {});
    if (trained.data() instanceof BarData data) {
      Path bars = data.bars();
      if (bars != null) {
        paths.add(bars);
      }
      if (data.orders() instanceof Orders.Folder(Path given)) {
        paths.add(given);
      }
    }
    if (Files.isDirectory(folder.data().resolve("bars"))) {
      paths.add(folder.data().resolve("bars"));
    }
    return paths;
  }

  private static Map<String, @Nullable Object> check(Path path) {
    var row = new LinkedHashMap<String, @Nullable Object>();
    row.put("path", path.toString());
    row.put("findings", List.of());
    try {
      long size = size(path);
      if (size > LARGEST) {
        row.put(
            "problem",
            "%d MB are too many for a page: tranche data check %s".formatted(size >> 20, path));
      } else {
        CheckReport report = DataCheck.check(path, OPTIONS);
        row.put("findings", report.findings().stream().map(RunHealth::finding).toList());
      }
    } catch (DataException e) {
      row.put("problem", e.getMessage());
    } catch (IOException e) {
      row.put("problem", "%s: expected files that can be read".formatted(path));
    }
    return row;
  }

  private static long size(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static Map<String, Object> finding(Finding finding) {
    return Map.of(
        "rule", finding.rule().text(),
        "severity", finding.rule().severity().name(),
        "place", "%s %s".formatted(Path.of(finding.file()).getFileName(), finding.place()).strip(),
        "text", finding.toString());
  }
}
