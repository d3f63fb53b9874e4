package io.tranche.conformance.learning;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// `trainer.json`: hooks, early stopping, checkpoints, metrics files, resumes, files of weights.
public final class TrainerTopic {

  /// What a case does with a folder of its own.
  public interface Work {
    JsonNode in(Path folder) throws IOException;
  }

  private TrainerTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    return inFolder(
        folder ->
            input.path("kind").asString("").equals("weight_file")
                ? WeightFileCases.answer(input.get("content").asString(), folder)
                : new TrainerCase(testCase, folder).run());
  }

  public static JsonNode inFolder(Work work) {
    try {
      Path folder = Files.createTempDirectory("tranche-trainer-");
      try {
        return work.in(folder);
      } finally {
        try (Stream<Path> all = Files.walk(folder)) {
          List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
          for (Path each : deepestFirst) {
            Files.delete(each);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
