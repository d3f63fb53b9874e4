package io.tranche.analysis.report;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The state of training after one iteration. NaN where nothing was measured.
///
/// @param reward mean reward of a training episode
/// @param trainingBps mean advantage of the orders trained on
/// @param validationBps mean advantage of the orders held out
public record TrainingPoint(
    int iteration, double reward, double trainingBps, double validationBps) {

  private static final JsonMapper JSON = JsonMapper.shared();

  public TrainingPoint {
    Known.requireNotInfinite("reward", reward);
    Known.requireNotInfinite("trainingBps", trainingBps);
    Known.requireNotInfinite("validationBps", validationBps);
  }

  /// Reads the curve from a run's `metrics.jsonl`; no file means no curve.
  ///
  /// @throws DataException if a line is no JSON object with an iteration
  public static List<TrainingPoint> read(Path metrics) {
    var points = new ArrayList<TrainingPoint>();
    try {
      for (String line : Files.exists(metrics) ? Files.readAllLines(metrics) : List.<String>of()) {
        JsonNode json = JSON.readTree(line);
        if (!json.path("iteration").isNumber()) {
          String where = "%s: line %d".formatted(metrics, points.size() + 1);
          throw new DataException(where, "an object with 'iteration'", line);
        }
        points.add(
            new TrainingPoint(
                json.path("iteration").asInt(),
                finite(json.path("reward")),
                finite(json.path("pa")),
                finite(json.path("val/pa"))));
      }
      return points;
    } catch (JacksonException e) {
      throw new DataException(
          "%s: line %d".formatted(metrics, points.size() + 1), "JSON", e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new DataException(metrics.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  private static double finite(JsonNode number) {
    return number.isNumber() && Double.isFinite(number.asDouble()) ? number.asDouble() : Double.NaN;
  }
}
