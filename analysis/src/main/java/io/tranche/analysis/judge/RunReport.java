package io.tranche.analysis.judge;

import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.ReportData.Learning;
import io.tranche.analysis.report.ReportData.Origin;
import io.tranche.analysis.report.ReportData.Results;
import io.tranche.analysis.report.Reports;
import io.tranche.analysis.report.TrainingPoint;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import io.tranche.run.play.OrderPlayer.PutAside;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// The report of a run that was trained and judged.
public final class RunReport {

  /// More would bury everything else.
  private static final int MOST_WARNINGS = 20;

  private RunReport() {}

  /// Writes `report.html`, `report.md` and `report.json` into the run directory.
  ///
  /// @param version of the code
  public static void write(RunFolder run, String title, Judgement judgement, String version) {
    String description =
        "%,d test orders, each executed by the agent and by every reference in the same simulator."
                .formatted(judgement.orders().size())
            + " Differences are paired order by order; intervals are clustered by day.";
    var report =
        new ReportData(
            title,
            description,
            judgement.assessment().verdict(),
            new Results(
                judgement.comparisons(), judgement.orders(), List.of(), judgement.examples()),
            new Learning(TrainingPoint.read(run.metrics()), List.of()),
            new Origin(warnings(judgement.putAside()), config(run), version));
    Reports.write(report, run.folder());
  }

  private static List<String> warnings(List<PutAside> putAside) {
    var warnings = new ArrayList<String>();
    for (PutAside each : putAside.subList(0, Math.min(MOST_WARNINGS, putAside.size()))) {
      warnings.add("put aside: %s: %s".formatted(each.order(), each.reason()));
    }
    if (putAside.size() > MOST_WARNINGS) {
      warnings.add("put aside: %d more".formatted(putAside.size() - MOST_WARNINGS));
    }
    return warnings;
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
