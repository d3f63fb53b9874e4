package io.tranche.analysis.report;

import io.tranche.analysis.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A document in sections, independent of its form.
record Page(String title, String description, @Nullable Verdict verdict, List<Section> sections) {

  Page {
    sections = List.copyOf(sections);
  }

  /// Returns the words of a verdict as a heading.
  static String word(Verdict.Kind kind) {
    String words = kind.words();
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
