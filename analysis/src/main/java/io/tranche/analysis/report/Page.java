package io.tranche.analysis.report;

import io.tranche.analysis.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A document in sections, independent of its form.
record Page(String title, String description, @Nullable Verdict verdict, List<Section> sections) {

  Page {
    sections = List.copyOf(sections);
  }

  /// Returns a verdict in one to three words.
  static String word(Verdict.Kind kind) {
    return switch (kind) {
      case BETTER -> "Better";
      case NO_DIFFERENCE -> "No difference";
      case WORSE -> "Worse";
      case TOO_FEW_DAYS -> "Too few days";
    };
  }
}
