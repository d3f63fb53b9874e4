package io.tranche.conformance.deviation;

import io.tranche.conformance.execution.QlibBacktestTopic;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What Qlib would answer if a volume limit for one side left the other side alone.
final class OneSidedAnswers {

  private OneSidedAnswers() {}

  /// The same case without a limit, whose rules other golden cases prove.
  static JsonNode unlimited(Path directory, JsonNode testCase) {
    JsonNode copy = testCase.deepCopy();
    ((ObjectNode) copy.get("input").get("exchange")).putNull("volume_threshold");
    return QlibBacktestTopic.answer(directory, JsonNodeFactory.instance.objectNode(), copy);
  }
}
