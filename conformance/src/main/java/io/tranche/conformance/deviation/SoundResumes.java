package io.tranche.conformance.deviation;

import io.tranche.conformance.golden.GoldenFile;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The results of Qlib's resumed runs if checkpoints held the state of early stopping and the rows
/// of the metrics files, computed from the runs before and after the resume.
final class SoundResumes {

  /// The same run as `resume_from_last_checkpoint_larger_max`, which Qlib does continue.
  private static final String GOES_ON = "resume_from_middle_larger_max";

  private SoundResumes() {}

  static JsonNode answer(Path directory, JsonNode testCase) {
    ObjectNode answer = (ObjectNode) testCase.get("expected").deepCopy();
    JsonNode resumed = answer.get("resumed");
    JsonNode source = testCase;
    if (resumed.get("n_update_calls").intValue() == 0) {
      source = GoldenFile.read(directory.resolve("trainer.json")).named(GOES_ON);
      requireSame(testCase, source, "script");
      requireSame(testCase, source, "callbacks");
      requireSame(testCase, source, "resume_max_iters");
    }
    answer.set("resumed", resumed(source));
    return answer;
  }

  private static void requireSame(JsonNode one, JsonNode other, String name) {
    if (!one.get("input").get(name).equals(other.get("input").get(name))) {
      throw new DataException("input." + name, "that of " + GOES_ON, one.get("input").get(name));
    }
  }

  private static JsonNode resumed(JsonNode testCase) {
    ObjectNode resumed = (ObjectNode) testCase.get("expected").get("resumed").deepCopy();
    String from = testCase.get("input").get("resume_from").asString();
    int kept = Integer.parseInt(from.replaceAll("\\D", ""));
    JsonNode before = testCase.get("expected").get("csv");
    ObjectNode tables = (ObjectNode) resumed.get("csv");
    for (String name : List.of("train_result.csv", "validation_result.csv")) {
      tables.put(name, joined(before.get(name).asString(), kept, tables.get(name).asString()));
    }
    stopEarly(testCase.get("input"), tables.get("validation_result.csv").asString(), resumed);
    return resumed;
  }

  /// Returns the first rows of one table and all of another, renumbered.
  private static String joined(String first, int kept, String second) {
    List<String> head = first.lines().toList();
    var rows = new ArrayList<>(head.subList(1, kept + 1));
    rows.addAll(second.lines().skip(1).toList());
    var joined = new StringBuilder(head.getFirst()).append('\n');
    for (int i = 0; i < rows.size(); i++) {
      joined.append(i).append(rows.get(i).substring(rows.get(i).indexOf(','))).append('\n');
    }
    return joined.toString();
  }

  /// Goes through all validations with the rule of early stopping, for the highest value.
  private static void stopEarly(JsonNode input, String validations, ObjectNode resumed) {
    JsonNode rule =
        input
            .get("callbacks")
            .valueStream()
            .filter(spec -> spec.get("class").asString().equals("EarlyStopping"))
            .findFirst()
            .orElseThrow(() -> new DataException("input.callbacks", "an EarlyStopping", "none"));
    List<String> lines = validations.lines().toList();
    int column = List.of(lines.getFirst().split(",")).indexOf(rule.get("monitor").asString());
    double best = Double.NEGATIVE_INFINITY;
    int bestIteration = 0;
    int wait = 0;
    for (int iteration = 0; iteration < lines.size() - 1; iteration++) {
      double value = Double.parseDouble(lines.get(iteration + 1).split(",", -1)[column]);
      wait++;
      if (value > best) {
        best = value;
        bestIteration = iteration;
        wait = 0;
      }
      if (wait >= rule.get("patience").intValue() && iteration > 0) {
        stopAt(iteration, resumed);
      }
    }
    ((ObjectNode) resumed.get("earlystopping_state"))
        .put("wait", wait)
        .put("best", best)
        .put("best_iter", bestIteration);
  }

  /// The tracer behind early stopping sees that the run is to stop.
  private static void stopAt(int iteration, ObjectNode resumed) {
    for (JsonNode hook : resumed.get("hooks")) {
      if (hook.get("hook").asString().equals("on_validate_end")
          && hook.get("tracer").asString().equals("last")
          && hook.get("current_iter").intValue() == iteration) {
        ((ObjectNode) hook).put("should_stop", true);
      }
    }
  }
}
