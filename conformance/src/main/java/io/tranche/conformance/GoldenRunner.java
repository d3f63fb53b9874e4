package io.tranche.conformance;

import io.tranche.conformance.Report.TopicReport;
import io.tranche.conformance.deviation.Deviation;
import io.tranche.conformance.deviation.ExpectedError;
import io.tranche.conformance.golden.ErrorKind;
import io.tranche.conformance.golden.GoldenFile;
import io.tranche.conformance.golden.Topic;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Runs the cases of a golden directory with the topics that answer them.
public final class GoldenRunner {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// The type and the words of Qlib's error, for which the table of refusals has ours.
  private static final List<String> MESSAGES = List.of("error", "error_message", "message");

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

    /// An exception of ours. One that was not thrown on purpose meets no demand.
    ///
    /// @param beside what the case gave before it
    record Refused(String kind, String message, ObjectNode beside) implements Outcome {

      @Override
      public String text() {
        return "%s: %s%s".formatted(kind, message, beside.isEmpty() ? "" : ", besides " + beside);
      }
    }

    /// The refusal that a case calls for.
    ///
    /// @param qlib the type of Qlib's error, which the row must know; null for a deviation
    record Demanded(@Nullable String qlib, @Nullable ErrorKind kind, ObjectNode beside)
        implements Outcome {

      @Override
      public String text() {
        return kind == null
            ? "an error with a row in the table of refusals, as Qlib's " + qlib
            : kind + (qlib == null ? "" : ", as Qlib's " + qlib);
      }
    }
  }

  private final Map<String, Topic> topics = new TreeMap<>();
  private final List<Deviation> deviations;
  private final List<ExpectedError> refusals;

  /// Makes a runner that knows every deviation and every refusal of ours.
  public GoldenRunner(List<Topic> topics) {
    this(topics, Deviation.ALL, ExpectedError.ALL);
  }

  GoldenRunner(List<Topic> topics, List<Deviation> deviations, List<ExpectedError> refusals) {
    topics.forEach(topic -> this.topics.put(topic.name(), topic));
    this.deviations = List.copyOf(deviations);
    this.refusals = List.copyOf(refusals);
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
    var unusedRefusals =
        new ArrayList<>(refusals.stream().filter(r -> r.topic().equals(topic.name())).toList());
    for (JsonNode testCase : file.cases()) {
      String name = testCase.get("name").stringValue();
      Deviation deviation =
          deviations.stream().filter(d -> d.appliesTo(topic.name(), name)).findFirst().orElse(null);
      ExpectedError refusal =
          refusals.stream().filter(r -> r.appliesTo(topic.name(), name)).findFirst().orElse(null);
      unusedRefusals.remove(refusal);
      Outcome expected = expected(directory, testCase, deviation, refusal);
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
    var withoutCase =
        new ArrayList<>(
            unused.stream().map(d -> "deviation %s %s".formatted(d.quirk(), d.cases())).toList());
    unusedRefusals.forEach(r -> withoutCase.add("refusal " + r.cases()));
    return new TopicReport(
        topic.name(), file.cases().size() - failed, failed, first, applied, withoutCase);
  }

  private static Outcome expected(
      Path directory,
      JsonNode testCase,
      @Nullable Deviation deviation,
      @Nullable ExpectedError refusal) {
    if (deviation != null) {
      return switch (deviation.instead()) {
        case Deviation.Refused(var kind) -> new Outcome.Demanded(null, kind, JSON.objectNode());
        case Deviation.Answered(var computation) ->
            attempt(() -> computation.expected(directory, testCase));
      };
    }
    JsonNode expected = testCase.get("expected");
    JsonNode error = expected.path("error");
    if (error.isMissingNode() || error.isNull()) {
      return new Outcome.Value(expected);
    }
    String qlib = error.isString() ? error.stringValue() : error.path("type").asString();
    // Another row would mean another error, which ours was not compared with.
    ErrorKind kind = refusal == null || !refusal.qlib().equals(qlib) ? null : refusal.kind();
    ObjectNode beside = ((ObjectNode) expected.deepCopy()).without(MESSAGES);
    return new Outcome.Demanded(qlib, kind, withoutNulls(beside));
  }

  /// Returns what was recorded: a null only says that there was nothing.
  private static ObjectNode withoutNulls(ObjectNode beside) {
    ObjectNode kept = JSON.objectNode();
    beside.forEachEntry(
        (name, value) -> {
          if (!value.isNull()) {
            kept.set(name, value);
          }
        });
    return kept;
  }

  private static Outcome attempt(Supplier<JsonNode> answer) {
    try {
      return new Outcome.Value(answer.get());
    } catch (Topic.Stopped e) {
      return new Outcome.Refused(
          e.kind(), String.valueOf(e.getMessage()), withoutNulls(e.beside()));
    } catch (RuntimeException e) {
      // Even a bug must not hide the results of the other cases.
      return new Outcome.Refused(
          e.getClass().getSimpleName(), String.valueOf(e.getMessage()), JSON.objectNode());
    }
  }

  private static @Nullable Mismatch compare(
      String name, Outcome expected, Outcome was, Topic topic) {
    if (expected instanceof Outcome.Value(var one) && was instanceof Outcome.Value(var other)) {
      return Mismatch.find(name, one, other, topic.tolerance(), topic.slack());
    }
    if (expected instanceof Outcome.Demanded(_, var kind, var recorded)
        && was instanceof Outcome.Refused(var type, var message, var beside)
        && kind != null
        && kind.isMetBy(type, message)) {
      return Mismatch.find(name, recorded, beside, topic.tolerance(), topic.slack());
    }
    return new Mismatch(name, "$", expected.text(), was.text());
  }
}
