package io.tranche.conformance;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a run over a golden directory.
///
/// @param topics in alphabetical order
/// @param unanswered the golden files that no topic answers yet
public record Report(List<TopicReport> topics, List<String> unanswered) {

  private static final int MAX_TEXT = 2_000;

  public Report {
    topics = List.copyOf(topics);
    unanswered = List.copyOf(unanswered);
  }

  /// The result of one golden file.
  ///
  /// @param first the first mismatch, null if there is none
  /// @param deviations a line for each deviation that was applied, with the value asserted
  /// @param unused the deviations and refusals of this topic that matched no case
  public record TopicReport(
      String name,
      int passed,
      int failed,
      @Nullable Mismatch first,
      List<String> deviations,
      List<String> unused) {

    public TopicReport {
      deviations = List.copyOf(deviations);
      unused = List.copyOf(unused);
    }
  }

  public int passed() {
    return topics.stream().mapToInt(TopicReport::passed).sum();
  }

  public int failed() {
    return topics.stream().mapToInt(TopicReport::failed).sum();
  }

  /// Returns the lines to print: for each topic its counts, its first mismatch in full and its
  /// deviations; then the files not answered yet; last `N passed, N failed`.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    for (TopicReport topic : topics) {
      lines.add("%s: %d passed, %d failed".formatted(topic.name(), topic.passed(), topic.failed()));
      if (topic.first() != null) {
        topic.first().toString().lines().forEach(lines::add);
      }
      topic.deviations().forEach(line -> lines.add("  deviation " + line));
      topic.unused().forEach(line -> lines.add("  without a case: " + line));
    }
    if (!unanswered.isEmpty()) {
      lines.add("not answered yet: " + String.join(", ", unanswered));
    }
    lines.add("%d passed, %d failed".formatted(passed(), failed()));
    return lines;
  }

  /// Shortens a long text.
  static String shortened(String text) {
    return text.length() <= MAX_TEXT
        ? text
        : text.substring(0, MAX_TEXT) + "... (" + text.length() + " characters)";
  }
}
