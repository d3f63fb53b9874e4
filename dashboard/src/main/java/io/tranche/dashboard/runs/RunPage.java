package io.tranche.dashboard.runs;

import io.tranche.analysis.report.ReportData;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Everything about one run, besides its curves and its orders.
public final class RunPage {

  private static final Pattern NUMBER = Pattern.compile("(\\d+)");
  private static final long MOST_TEXT = 1 << 20;

  private final CurvePage curves;

  public RunPage(CurvePage curves) {
    this.curves = curves;
  }

  public Map<String, @Nullable Object> of(RunEntry run) {
    var folder = new RunFolder(run.folder());
    var page = new LinkedHashMap<String, @Nullable Object>();
    page.put("run", summary(run));
    page.put("metrics", curves.names(run));
    page.put("config", text(folder.config()));
    page.put("guard", text(folder.guard()));
    page.put("stopping", Files.exists(folder.stopRequest()));
    try {
      page.put("checkpoints", checkpoints(run, folder));
    } catch (DataException e) {
      page.put("checkpointsProblem", e.getMessage());
    }
    try {
      ReportData report = RunReader.report(run.folder());
      page.put("report", report == null ? null : report(run.folder(), report));
    } catch (DataException e) {
      page.put("reportProblem", e.getMessage());
    }
    return page;
  }

  /// Returns what the list shows, for JSON.
  public static Map<String, @Nullable Object> summary(RunEntry run) {
    var row = new LinkedHashMap<String, @Nullable Object>();
    row.put("id", run.id());
    row.put("kind", run.kind().name());
    row.put("state", run.state().name());
    row.put("group", run.group());
    row.put("seed", run.seed());
    row.put("iterations", run.iterations());
    row.put("planned", run.planned());
    row.put("changed", run.changed());
    row.put("tags", run.tags());
    row.put("last", run.last());
    row.put("verdict", run.verdict());
    row.put("overTwap", run.overTwap());
    row.put("problem", run.problem());
    return row;
  }

  private static Map<String, @Nullable Object> report(Path folder, ReportData report) {
    Path file = RunReader.reportFile(folder);
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("file", file == null ? null : folder.relativize(file).toString());
    shown.put("title", report.title());
    shown.put("description", report.description());
    shown.put("verdict", report.verdict());
    shown.put("comparisons", report.results().comparisons());
    shown.put("costs", report.results().costs());
    shown.put("checkpoints", report.learning().checkpoints());
    shown.put("warnings", report.origin().warnings());
    shown.put("commit", report.origin().commit());
    return shown;
  }

  private List<Map<String, @Nullable Object>> checkpoints(RunEntry run, RunFolder folder) {
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    var files = new ArrayList<>(folder.earlierCheckpoints());
    if (Files.exists(folder.selected())) {
      files.add(folder.selected());
    }
    Curve validation = curves.curve(run, "val/pa");
    for (Path file : files) {
      var row = new LinkedHashMap<String, @Nullable Object>();
      String name = file.getFileName().toString();
      Matcher number = NUMBER.matcher(name);
      Long iteration = number.find() && number.group(1).length() < 10
          ? (Long) Long.parseLong(number.group(1))
          : null;
      row.put("name", name);
      row.put("iteration", iteration);
      row.put("validation", iteration == null ? null : valueAt(validation, iteration));
      row.put("selected", file.equals(folder.selected()));
      row.put("link", Files.isSymbolicLink(file));
      try {
        row.put("bytes", Files.size(file));
        row.put("changed", Files.getLastModifiedTime(file).toMillis() / 1000);
      } catch (IOException _) {
        continue; // a run that goes on has deleted it
      }
      if (name.endsWith(CheckpointFile.SUFFIX)) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static @Nullable Double valueAt(@Nullable Curve curve, long iteration) {
    Curve one = curve == null ? null : curve.within(iteration, iteration);
    return one == null || one.size() == 0 || Double.isNaN(one.values()[0])
        ? null
        : (Double) one.values()[0];
  }

  private static @Nullable String text(Path file) {
    try {
      return Files.exists(file) && Files.size(file) <= MOST_TEXT ? Files.readString(file) : null;
    } catch (IOException _) {
      return null; // no text: it is damaged, or was deleted at this moment
    }
  }
}
