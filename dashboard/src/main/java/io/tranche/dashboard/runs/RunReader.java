package io.tranche.dashboard.runs;

import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.Reports;
import io.tranche.config.ConfigException;
import io.tranche.dashboard.runs.RunEntry.Kind;
import io.tranche.dashboard.runs.RunEntry.State;
import io.tranche.files.FolderLock;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads what the list shows of a run. What cannot be read becomes a sentence, never a failure.
final class RunReader {

  private RunReader() {}

  /// Returns a text that changes when a file of a run does that [#read] looks at.
  static String stamp(Path folder) {
    var run = new RunFolder(folder);
    var text = new StringBuilder();
    for (Path file :
        List.of(
            run.config(),
            run.metrics(),
            run.tags(),
            folder.resolve(Reports.JSON),
            judged(folder),
            folder.resolve("trials.jsonl"),
            folder.resolve("roll.csv"))) {
      try {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        text.append(attributes.lastModifiedTime().toMillis()).append('/').append(attributes.size());
      } catch (IOException _) {
        text.append('-');
      }
      text.append(' ');
    }
    return text.append(FolderLock.holder(folder)).toString();
  }

  /// Returns where `tranche judge` puts its report.
  static Path judged(Path folder) {
    return new RunFolder(folder).judged().resolve(Reports.JSON);
  }

  static RunEntry read(String id, Path folder, Kind kind) {
    var run = new RunFolder(folder);
    String problem = null;
    FlatConfig config = new FlatConfig(Map.of());
    try {
      Path search = folder.resolve("tune.yml");
      if (Files.exists(run.config())) {
        config = FlatConfig.read(run.config());
      } else if (kind == Kind.RUN || kind == Kind.TRIAL || kind == Kind.WINDOW) {
        problem = "config.yml: expected a configuration, was nothing";
      } else if (Files.exists(search)) {
        config = FlatConfig.read(search);
      }
    } catch (ConfigException e) {
      problem = String.valueOf(e.getMessage());
    }
    MetricLog log = MetricLog.lastLines(run.metrics());
    if (problem == null) {
      problem = log.problem();
    }
    List<String> tags = List.of();
    try {
      tags = Tags.read(run.tags());
    } catch (DataException e) {
      problem = String.valueOf(e.getMessage());
    }
    ReportData report = null;
    try {
      report = report(folder);
    } catch (DataException e) {
      problem = String.valueOf(e.getMessage());
    }
    var last = new TreeMap<String, Double>();
    log.names().forEach(name -> last.put(name, log.last(name)));
    long iterations = log.iteration();
    Integer planned = config.planned();
    return new RunEntry(
        id,
        folder,
        kind,
        state(folder, problem, iterations, planned),
        config.values().isEmpty() ? "" : config.group(),
        config.seed(),
        iterations,
        planned,
        changed(folder, run),
        tags,
        last,
        report == null ? null : report.verdict(),
        report == null || report.results().comparisons().isEmpty()
            ? null
            : report.results().comparisons().getFirst(),
        problem);
  }

  private static State state(
      Path folder, @Nullable String problem, long iterations, @Nullable Integer planned) {
    if (FolderLock.holder(folder).isPresent()) {
      return State.RUNNING;
    }
    if (problem != null) {
      return State.BROKEN;
    }
    return planned != null && iterations < planned ? State.STOPPED : State.DONE;
  }

  private static long changed(Path folder, RunFolder run) {
    long newest = 0;
    for (Path file :
        List.of(run.metrics(), run.config(), judged(folder), folder.resolve(Reports.JSON))) {
      try {
        newest = Math.max(newest, Files.getLastModifiedTime(file).toMillis() / 1000);
      } catch (IOException _) {
        // It is not there.
      }
    }
    return newest;
  }

  /// Returns the newest report, without its orders; null if there is none.
  ///
  /// @throws DataException if it is damaged
  static @Nullable ReportData report(Path folder) {
    Path file = reportFile(folder);
    return file == null ? null : Reports.readSummary(file);
  }

  static @Nullable Path reportFile(Path folder) {
    Path judged = judged(folder);
    Path own = folder.resolve(Reports.JSON);
    boolean hasOwn = Files.exists(own);
    if (!Files.exists(judged)) {
      return hasOwn ? own : null;
    }
    try {
      boolean isNewer =
          !hasOwn
              || Files.getLastModifiedTime(judged).compareTo(Files.getLastModifiedTime(own)) >= 0;
      return isNewer ? judged : own;
    } catch (IOException _) {
      return judged;
    }
  }
}
