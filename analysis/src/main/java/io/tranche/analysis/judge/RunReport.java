package io.tranche.analysis.judge;

import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.ReportData.CheckpointScore;
import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.analysis.report.ReportData.Learning;
import io.tranche.analysis.report.ReportData.Origin;
import io.tranche.analysis.report.ReportData.Results;
import io.tranche.analysis.report.Reports;
import io.tranche.analysis.report.TrainingPoint;
import io.tranche.backtest.Costs;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import io.tranche.run.play.OrderPlayer.PutAside;
import io.tranche.run.play.OrderResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The report of a judgement.
///
/// @param note what is special about these orders or these weights, in a sentence; may be empty
/// @param costs that all policies paid
/// @param training the curve; empty if it is not known
/// @param checkpoints that were compared; empty if none were
/// @param warnings reasons to doubt the data
/// @param config the configuration, as text
/// @param version of the code
public record RunReport(
    String title,
    String note,
    Judgement judgement,
    Costs costs,
    List<TrainingPoint> training,
    List<CheckpointScore> checkpoints,
    List<String> warnings,
    String config,
    String version) {

  /// More would bury everything else.
  private static final int MOST_WARNINGS = 20;

  public RunReport {
    training = List.copyOf(training);
    checkpoints = List.copyOf(checkpoints);
    warnings = List.copyOf(warnings);
  }

  /// Returns the report of a run, with its training curve and its configuration.
  public static RunReport of(
      RunFolder run, String title, Judgement judgement, Costs costs, String version) {
    return new RunReport(
        title,
        "",
        judgement,
        costs,
        TrainingPoint.read(run.metrics()),
        List.of(),
        List.of(),
        config(run),
        version);
  }

  public RunReport withNote(String sentence) {
    return new RunReport(
        title, sentence, judgement, costs, training, checkpoints, warnings, config, version);
  }

  public RunReport withCheckpoints(List<CheckpointScore> scores) {
    return new RunReport(
        title, note, judgement, costs, training, scores, warnings, config, version);
  }

  public RunReport withWarnings(List<String> lines) {
    return new RunReport(
        title, note, judgement, costs, training, checkpoints, lines, config, version);
  }

  /// Writes `report.html`, `report.md` and `report.json`.
  public void write(Path folder) {
    var remarks = String.join(" ", judgement.assessment().remarks());
    String description =
        "%,d test orders, each executed by the agent and by every reference in the same simulator"
                .formatted(judgement.orders().size())
            + " with the same costs. Differences are paired order by order, after costs; intervals"
            + " are clustered by day."
            + (remarks.isEmpty() ? "" : " " + remarks)
            + (note.isEmpty() ? "" : " " + note);
    Reports.write(
        new ReportData(
            title,
            description,
            judgement.assessment().verdict(),
            new Results(
                judgement.comparisons(), judgement.orders(), costItems(), judgement.examples()),
            new Learning(training, checkpoints),
            new Origin(doubts(), config, version)),
        folder);
  }

  /// Returns what the agent paid on average; empty if nothing costs anything.
  private List<CostItem> costItems() {
    var items = new ArrayList<CostItem>();
    List<OrderResult> orders = judgement.assessment().agent().orders();
    if (costs.hasFees()) {
      double fees = orders.stream().mapToDouble(OrderResult::costBps).average().orElse(0);
      double taxes = orders.stream().mapToDouble(this::taxBps).average().orElse(0);
      items.add(new CostItem("Commission", fees - taxes));
      items.add(new CostItem("Taxes and levies", taxes));
    }
    if (costs.halfSpreadBps() > 0) {
      double filled = orders.stream().mapToDouble(OrderResult::completion).average().orElse(0);
      items.add(new CostItem("Half the spread (in the price)", costs.halfSpreadBps() * filled));
    }
    return items;
  }

  private double taxBps(OrderResult result) {
    double value = result.filled() * result.averagePrice();
    double whole = result.order().amount() * result.benchmarkPrice();
    double bps = 10_000 * costs.tax(result.order().side()) * value / whole;
    return Double.isFinite(bps) ? bps : 0;
  }

  private List<String> doubts() {
    var lines = new ArrayList<>(warnings);
    for (PutAside each : judgement.putAside()) {
      lines.add("put aside: %s: %s".formatted(each.order(), each.reason()));
    }
    if (lines.size() > MOST_WARNINGS) {
      int more = lines.size() - MOST_WARNINGS;
      lines.subList(MOST_WARNINGS, lines.size()).clear();
      lines.add("and %d more".formatted(more));
    }
    return lines;
  }

  private static String config(RunFolder run) {
    try {
      return Files.readString(run.config());
    } catch (IOException e) {
      throw new DataException(
          run.config().toString(), "a file that can be read", e.getMessage(), e);
    }
  }
}
