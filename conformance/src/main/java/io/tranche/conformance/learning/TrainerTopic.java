package io.tranche.conformance.learning;

import io.tranche.conformance.golden.Topic;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/// `trainer.json`: hooks, early stopping, checkpoints, metrics files, resumes, files of weights.
public final class TrainerTopic {

  private TrainerTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    return Topic.inFolder(
        folder ->
            input.path("kind").asString("").equals("weight_file")
                ? WeightFileCases.answer(input.get("content").asString(), folder)
                : new TrainerCase(testCase, folder).run());
  }
}
