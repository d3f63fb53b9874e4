package io.tranche.market.check;

import io.tranche.market.DataException;
import io.tranche.market.table.BarFiles;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds everything that is wrong with bars or orders at a path. Changes nothing.
///
/// A path is anything that [BarFiles] opens, or a feature store. A check continues after a fault
/// wherever it can, so one fault does not hide the next.
public final class DataCheck {

  private DataCheck() {}

  public static CheckReport check(Path path, CheckOptions options) {
    var findings = new Findings(options.findingsARule());
    try {
      if (!Files.exists(path)) {
        findings.add(Rule.UNREADABLE, path, "none");
      } else if (BarFiles.isStore(path)) {
        new StoreCheck(path, options, findings).check();
      } else if (Files.exists(path.resolve("features.yml"))) {
        new StoreCheck(path.resolve("feature"), options, findings).check();
        new StoreCheck(path.resolve("backtest"), options, findings).check();
      } else {
        new TableCheck(path, options, findings).check(BarFiles.tableFiles(path));
      }
    } catch (DataException e) {
      findings.add(Rule.UNREADABLE, path, String.valueOf(e.getMessage()));
    }
    return findings.report();
  }
}
