package io.tranche.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Options that have a new name. The old one works, with a warning that names the new one.
///
/// Spellings of Qlib's own scripts, such as `--n_jobs`, are no old names.
final class OldSpellings {

  private static final Map<String, String> NEW =
      Map.of(
          "--n-jobs", "--threads",
          "--restart", "--overwrite",
          "--source", "--bars",
          "--to", "--out");

  private OldSpellings() {}

  /// Returns a warning for each old spelling.
  static List<String> in(String... arguments) {
    var warnings = new ArrayList<String>();
    for (String argument : arguments) {
      String option =
          argument.contains("=") ? argument.substring(0, argument.indexOf('=')) : argument;
      String name = NEW.get(option);
      if (name != null) {
        warnings.add(
            "warning: write %s instead of %s, which means the same".formatted(name, option));
      }
    }
    return warnings;
  }
}
