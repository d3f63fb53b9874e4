package io.tranche.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A defect of Qlib that golden cases record and Tranche does not reproduce.
///
/// @param cases the names it applies to, whole
/// @param quirk its number in the register of quirks
/// @param sentence what Tranche does instead
public record Deviation(
    String topic, Pattern cases, String quirk, String sentence, Instead instead) {

  /// Every case where Tranche differs from the golden data, on purpose. Nothing else may differ.
  static final List<Deviation> ALL =
      List.of(
          new Deviation(
              "config_parser",
              Pattern.compile("py_file"),
              "Q42",
              "a Python config is refused by name, never executed",
              new Refused()),
          new Deviation(
              "data_features",
              Pattern.compile("provider_cache_ignores_columns"),
              "Q22",
              "each provider answers with its own columns",
              new Answered((_, testCase) -> ownColumns(testCase.get("input")))));

  private static JsonNode ownColumns(JsonNode input) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.set("first_columns", input.get("first"));
    answer.set("second_columns", input.get("second"));
    return answer.put("same_object", false);
  }

  /// What the answer must be in place of the golden one.
  public sealed interface Instead {}

  /// A named exception.
  public record Refused() implements Instead {}

  /// This value, worked out from the case by other means than the topic's.
  public record Answered(Computation computation) implements Instead {}

  /// Works out what the sound answer to a case is.
  @FunctionalInterface
  public interface Computation {

    /// @param directory the golden directory, for the files that cases refer to
    JsonNode expected(Path directory, JsonNode testCase);
  }

  boolean appliesTo(String topicName, String caseName) {
    return topic.equals(topicName) && cases.matcher(caseName).matches();
  }
}
