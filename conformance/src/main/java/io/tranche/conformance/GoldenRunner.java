package io.tranche.conformance;

import io.tranche.config.ConfigException;
import io.tranche.conformance.Report.TopicReport;
import io.tranche.conformance.deviation.Deviation;
import io.tranche.conformance.golden.GoldenFile;
import io.tranche.conformance.golden.Topic;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs the cases of a golden directory with the topics that answer them.
public final class GoldenRunner {

  /// The exceptions that are answers. Their subclasses, such as NumberFormatException, are not.
  private static final Set<Class<? extends RuntimeException>> NAMED =
      Set.of(
          CheckpointException.class,
          ConfigException.class,
          DataException.class,
          IllegalArgumentException.class,
          IllegalStateException.class);

  /// The actual or expected outcome of a case.
  sealed interface Outcome {

    /// Returns its text in reports.
    String text();

    /// @param value without a null `error`, which only means that there is a value
    record Value(JsonNode value) implements Outcome {
      public Value {
        if (value instanceof ObjectNode object && object.path("error").isNull()) {
          value = object.deepCopy().without("error");
        }
      }

      @Override
      public String text() {
        return Report.shortened(value.toString());
      }
    }

    /// A named exception of ours; in golden files, any error of Qlib's.
    record Refusal(String text) implements Outcome {}

    /// An exception that was not thrown on purpose.
    record Crash(String text) implements Outcome {}
  }

  private final Map<String, Topic> topics = new TreeMap<>();
  private final List<Deviation> deviations;

  /// Makes a runner that knows every deviation of ours.
  public GoldenRunner(List<Topic> topics) {
    this(topics, Deviation.ALL);
  }

  GoldenRunner(List<Topic> topics, List<Deviation> deviations) {
    topics.forEach(topic -> this.topics.put(topic.name(), topic));
    this.deviations = List.copyOf(deviations);
  }

  /// Runs every case of every golden file in `directory` that a topic answers.
  ///
  /// @throws DataException if the directory is missing or empty, or a file that is to be answered
  ///   is damaged
  public Report run(Path directory) {
    var reports = new ArrayList<TopicReport>();
    var unanswered = new ArrayList<String>();
    GoldenFile.in(directory)
        .forEach(
            (name, path) -> {
              Topic topic = topics.get(name);
              if (topic == null) {
                unanswered.add(name);
              } else {
                reports.add(run(directory, topic, GoldenFile.read(path)));
              }
            });
    return new Report(reports, unanswered);
  }

  private TopicReport run(Path directory, Topic topic, GoldenFile file) {
    int failed = 0;
    Mismatch first = null;
    var applied = new ArrayList<String>();
    var unused =
        new ArrayList<>(deviations.stream().filter(d -> d.topic().equals(topic.name())).toList());
    for (JsonNode testCase : file.cases()) {
      String name = testCase.get("name").stringValue();
      Deviation deviation =
          deviations.stream().filter(d -> d.appliesTo(topic.name(), name)).findFirst().orElse(null);
      Outcome expected = expected(directory, testCase, deviation);
      Outcome was = attempt(() -> topic.answers().answer(directory, file.root(), testCase));
      Mismatch mismatch = compare(name, expected, was, topic);
      if (mismatch != null) {
        failed++;
        first = first == null ? mismatch : first;
      }
      if (deviation != null) {
        unused.remove(deviation);
        applied.add(
            "%s %s (%s): %s".formatted(deviation.quirk(), name, deviation.sentence(), was.text()));
      }
    }
    return new TopicReport(
        topic.name(),
        file.cases().size() - failed,
        failed,
        first,
        applied,
        unused.stream().map(d -> d.quirk() + " " + d.cases()).toList());
  }

  private static Outcome expected(
      Path directory, JsonNode testCase, @Nullable Deviation deviation) {
    if (deviation != null) {
      return switch (deviation.instead()) {
        case Deviation.Refused _ -> new Outcome.Refusal("a refusal");
        case Deviation.Answered(var computation) ->
            attempt(() -> computation.expected(directory, testCase));
      };
    }
    JsonNode expected = testCase.get("expected");
    JsonNode error = expected.path("error");
    return error.isMissingNode() || error.isNull()
        ? new Outcome.Value(expected)
        : new Outcome.Refusal("an error, as Qlib's " + error);
  }

  private static Outcome attempt(Supplier<JsonNode> answer) {
    try {
      return new Outcome.Value(answer.get());
    } catch (RuntimeException e) {
      // Any other exception is a bug, which must not hide the results of the other cases.
      return NAMED.contains(e.getClass())
          ? new Outcome.Refusal(e.toString())
          : new Outcome.Crash(e.toString());
    }
  }

  private static @Nullable Mismatch compare(
      String name, Outcome expected, Outcome was, Topic topic) {
    if (expected instanceof Outcome.Value(var one) && was instanceof Outcome.Value(var other)) {
      return Mismatch.find(name, one, other, topic.tolerance(), topic.absoluteTolerance());
    }
    boolean bothRefused = expected instanceof Outcome.Refusal && was instanceof Outcome.Refusal;
    return bothRefused ? null : new Mismatch(name, "$", expected.text(), was.text());
  }
}
