package io.tranche.work.stress;

import io.tranche.analysis.Verdict;
import io.tranche.config.ConfigFiles;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.run.play.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where an agent is better than TWAP, no different, and worse.
///
/// @param weights which agent, as all verbs print it
public record Certificate(String weights, List<Condition> conditions) {

  public Certificate {
    conditions = List.copyOf(conditions);
  }

  /// Returns one sentence with how many conditions have which outcome.
  public String summary() {
    var counts = new ArrayList<String>();
    for (Verdict.Kind outcome : Verdict.Kind.values()) {
      long count = Condition.count(conditions, outcome);
      if (count > 0) {
        counts.add("%d %s".formatted(count, outcome.words()));
      }
    }
    return "Under %d conditions against TWAP: %s (p below 0.05, corrected by Holm)."
        .formatted(conditions.size(), String.join(", ", counts));
  }

  /// Writes `certificate.md` for people and `certificate.yml` for programs.
  ///
  /// @throws DataException if they cannot be written
  public void write(Path folder) {
    try {
      Files.createDirectories(folder);
      PendingFile.write(folder.resolve("certificate.md"), markdown());
      PendingFile.write(
          folder.resolve("certificate.yml"), ConfigFiles.of("the certificate", facts()).toYaml());
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  private String markdown() {
    var text = new StringBuilder("# Stress certificate\n\n");
    text.append("Weights: ").append(weights).append("\n\n").append(summary()).append("\n\n");
    text.append(
        "| frictions | orders | number | days | bps over TWAP | 95 % | p (Holm) | outcome |\n");
    text.append("|---|---|---|---|---|---|---|---|\n");
    for (Condition each : conditions) {
      Difference gain = each.difference();
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %d | %d | %+.2f | %s | %.3f | %s |%n",
              each.frictions(),
              each.regime(),
              gain.orders(),
              gain.days(),
              gain.meanBps(),
              Double.isNaN(gain.low())
                  ? "–"
                  : String.format(Locale.ROOT, "%+.2f to %+.2f", gain.low(), gain.high()),
              each.adjustedPValue(),
              each.outcome().words()));
    }
    return text.toString();
  }

  private Map<String, @Nullable Object> facts() {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("weights", weights);
    facts.put("summary", summary());
    facts.put("conditions", conditions.stream().map(Condition::facts).toList());
    return facts;
  }
}
