package io.tranche.dashboard.runs;

import io.tranche.run.RunFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Curves of runs as a chart needs them: smoothed, thinned, and runs that differ only in their seed
/// as bands.
public final class CurvePage {

  /// Episodes per second, which no file has.
  static final String THROUGHPUT = "throughput";

  /// Begins the names of what `process.jsonl` has.
  static final String PROCESS = "process/";

  /// How long an answer may wait for a long file; the rest is read by the next one.
  private static final long PATIENCE_NANOS = 250_000_000;

  private final MetricLogs logs;

  public CurvePage(MetricLogs logs) {
    this.logs = logs;
  }

  /// What is drawn.
  ///
  /// @param points how many points a curve may have
  /// @param smoothing the weight of what came before, in [0, 1)
  public record Wish(
      List<String> metrics, int points, double smoothing, long from, long to, boolean bands) {

    public Wish {
      metrics = List.copyOf(metrics);
    }
  }

  public Map<String, Object> of(List<RunEntry> runs, Wish wish) {
    var curves = new ArrayList<Map<String, Object>>();
    var bands = new ArrayList<Map<String, Object>>();
    boolean isWhole = true;
    for (String metric : wish.metrics()) {
      var groups = new LinkedHashMap<String, Map<String, Curve>>();
      for (RunEntry run : runs) {
        Curve curve = curve(run, metric);
        isWhole &= logs.of(new RunFolder(run.folder()).metrics(), 0).isWhole();
        if (curve == null) {
          continue;
        }
        Curve shown = curve.smoothed(wish.smoothing()).within(wish.from(), wish.to());
        Curve thin = shown.thinned(wish.points());
        curves.add(
            Map.of(
                "run", run.id(), "metric", metric, "x", thin.iterations(), "y", thin.values()));
        groups.computeIfAbsent(run.group(), _ -> new LinkedHashMap<>()).put(run.id(), shown);
      }
      if (wish.bands()) {
        groups.forEach(
            (group, members) -> {
              if (members.size() > 1 && !group.isEmpty()) {
                bands.add(band(group, metric, members, wish.points()));
              }
            });
      }
    }
    var answer = new LinkedHashMap<String, Object>();
    answer.put("complete", isWhole);
    answer.put("curves", curves);
    answer.put("bands", bands);
    return answer;
  }

  /// Returns the names of everything that can be drawn of a run.
  List<String> names(RunEntry run) {
    var folder = new RunFolder(run.folder());
    var names = new TreeSet<>(logs.of(folder.metrics(), PATIENCE_NANOS).names());
    MetricLog process = logs.of(folder.process(), PATIENCE_NANOS);
    process.names().forEach(name -> names.add(PROCESS + name));
    if (names.contains("episode") && process.names().contains("uptime_seconds")) {
      names.add(THROUGHPUT);
    }
    return List.copyOf(names);
  }

  @Nullable Curve curve(RunEntry run, String metric) {
    var folder = new RunFolder(run.folder());
    if (metric.equals(THROUGHPUT)) {
      return throughput(folder);
    }
    return metric.startsWith(PROCESS)
        ? logs.of(folder.process(), PATIENCE_NANOS).curve(metric.substring(PROCESS.length()))
        : logs.of(folder.metrics(), PATIENCE_NANOS).curve(metric);
  }

  private @Nullable Curve throughput(RunFolder folder) {
    Curve episodes = logs.of(folder.metrics(), PATIENCE_NANOS).curve("episode");
    Curve seconds = logs.of(folder.process(), PATIENCE_NANOS).curve("uptime_seconds");
    if (episodes == null || seconds == null) {
      return null;
    }
    long[] at = seconds.iterations();
    double[] uptime = seconds.values();
    long[] iterations = episodes.iterations();
    double[] counts = episodes.values();
    var places = new ArrayList<Long>();
    var rates = new ArrayList<Double>();
    int before = -1;
    int beforeAt = -1;
    for (int i = 0, j = 0; i < at.length && j < iterations.length; ) {
      if (at[i] < iterations[j]) {
        i++;
      } else if (at[i] > iterations[j]) {
        j++;
      } else {
        // A resumed run is another process, whose clock begins again.
        if (before >= 0 && uptime[i] > uptime[beforeAt]) {
          places.add(at[i]);
          rates.add((counts[j] - counts[before]) / (uptime[i] - uptime[beforeAt]));
        }
        before = j++;
        beforeAt = i++;
      }
    }
    return new Curve(
        places.stream().mapToLong(Long::longValue).toArray(),
        rates.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /// The mean of several runs, and the lowest and highest of them.
  private static Map<String, Object> band(String group, String metric, Map<String, Curve> members, int points) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    int longest = 1;
    for (Curve each : members.values()) {
      if (each.size() > 0) {
        first = Math.min(first, each.iterations()[0]);
        last = Math.max(last, each.iterations()[each.size() - 1]);
        longest = Math.max(longest, each.size());
      }
    }
    int cells = Math.max(1, Math.min(longest, points / 2));
    double width = Math.max(1.0, (last - first + 1.0) / cells);
    var x = new ArrayList<Long>();
    var means = new ArrayList<double[]>();
    double[][] sums = new double[members.size()][cells];
    int[][] counts = new int[members.size()][cells];
    int row = 0;
    for (Curve each : members.values()) {
      long[] iterations = each.iterations();
      double[] values = each.values();
      for (int i = 0; i < values.length; i++) {
        if (!Double.isNaN(values[i])) {
          int cell = (int) Math.min(cells - 1, (iterations[i] - first) / width);
          sums[row][cell] += values[i];
          counts[row][cell]++;
        }
      }
      row++;
    }
    for (int cell = 0; cell < cells; cell++) {
      double sum = 0;
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      int known = 0;
      for (int i = 0; i < members.size(); i++) {
        if (counts[i][cell] > 0) {
          double mean = sums[i][cell] / counts[i][cell];
          sum += mean;
          low = Math.min(low, mean);
          high = Math.max(high, mean);
          known++;
        }
      }
      if (known > 0) {
        // The last iteration of the cell: with one iteration per cell, exactly that one.
        x.add(Math.min(last, first + (long) Math.ceil((cell + 1) * width) - 1));
        means.add(new double[] {sum / known, low, high});
      }
    }
    return Map.of(
        "group", group,
        "metric", metric,
        "runs", List.copyOf(members.keySet()),
        "x", x.stream().mapToLong(Long::longValue).toArray(),
        "mean", means.stream().mapToDouble(each -> each[0]).toArray(),
        "low", means.stream().mapToDouble(each -> each[1]).toArray(),
        "high", means.stream().mapToDouble(each -> each[2]).toArray());
  }
}
