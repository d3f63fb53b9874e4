package io.tranche.serving.wire;

import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.serving.predict.Prediction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Questions to a model, with Qlib's observation dictionaries, and its answers.
public final class PredictJson {

  /// How many observations one request holds at most.
  public static final int MAX_OBSERVATIONS = 1024;

  private static final List<String> ARRAYS =
      List.of("data_processed", "data_processed_prev", "position_history");
  private static final List<String> WHOLES =
      List.of("acquiring", "cur_tick", "cur_step", "num_step");
  private static final List<String> AMOUNTS = List.of("target", "position");

  private PredictJson() {}

  /// A question.
  ///
  /// @param model null for the one that new orders go to
  /// @param deadlineMicros null for the service's own
  public record Question(
      @Nullable String model,
      List<FullHistoryObservation> observations,
      @Nullable Long deadlineMicros) {
    public Question {
      observations = List.copyOf(observations);
    }
  }

  /// @throws MalformedException if the body is no question
  public static Question read(@Nullable Object body) {
    var fields = new RequestFields("", body);
    List<FullHistoryObservation> seen =
        fields.has("observation")
            ? List.of(observation(fields.object("observation")))
            : fields.list(
                "observations",
                MAX_OBSERVATIONS,
                (where, value) -> observation(new RequestFields(where, value)));
    if (seen.isEmpty()) {
      throw fields.wrong("observations", "at least one");
    }
    return fields.end(new Question(fields.nameOrNull("model"), seen, RequestJson.deadline(fields)));
  }

  private static FullHistoryObservation observation(RequestFields fields) {
    var entries = new LinkedHashMap<String, Value>();
    for (String key : ARRAYS) {
      List<Integer> shape = new ArrayList<>();
      double[] data = fields.array(key, shape);
      for (double each : data) {
        requireSingle(fields, key, each);
      }
      entries.put(key, new Value.Floats(ElementType.FLOAT32, shape, data));
    }
    for (String key : WHOLES) {
      long number = fields.whole(key, 0, Integer.MAX_VALUE);
      entries.put(key, new Value.Integers(ElementType.INT32, List.of(), number));
    }
    for (String key : AMOUNTS) {
      double number = fields.number(key);
      requireSingle(fields, key, number);
      entries.put(key, new Value.Floats(ElementType.FLOAT32, List.of(), (float) number));
    }
    if (!(fields.number("target") > 0)) {
      throw fields.wrong("target", "a positive number");
    }
    try {
      return fields.end(FullHistoryObservation.fromValue(new Value.Dict(entries)));
    } catch (DataException e) {
      throw new MalformedException(
          "observation", "Qlib's dictionary", "another: " + e.getMessage());
    }
  }

  private static void requireSingle(RequestFields fields, String key, double value) {
    if (!Float.isFinite((float) value)) {
      throw fields.wrong(key, "numbers of single precision");
    }
  }

  /// Returns answers.
  ///
  /// @param fingerprint of the model
  public static byte[] write(String fingerprint, List<Prediction> predictions) {
    return Json.writeObject(
        json -> {
          json.writeStringProperty("fingerprint", fingerprint);
          json.writeArrayPropertyStart("predictions");
          predictions.forEach(each -> write(json, each));
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, Prediction prediction) {
    json.writeStartObject();
    json.writeNumberProperty("action", prediction.action());
    json.writeArrayPropertyStart("scores");
    prediction.scores().forEach(score -> json.writeNumber(score.floatValue()));
    json.writeEndArray();
    json.writeBooleanProperty("cached", prediction.isCached());
    json.writeEndObject();
  }

  /// Returns the body of a question.
  public static byte[] write(
      @Nullable String model, List<FullHistoryObservation> seen, @Nullable Long deadlineMicros) {
    return Json.writeObject(
        json -> {
          if (model != null) {
            json.writeStringProperty("model", model);
          }
          if (deadlineMicros != null) {
            json.writeNumberProperty("deadline_micros", deadlineMicros);
          }
          json.writeArrayPropertyStart("observations");
          seen.forEach(each -> write(json, each.toValue()));
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, Value value) {
    switch (value) {
      case Value.Dict(var entries) -> {
        json.writeStartObject();
        entries.forEach(
            (name, each) -> {
              json.writeName(name);
              write(json, each);
            });
        json.writeEndObject();
      }
      case Value.Floats floats -> array(json, floats, floats.shape(), 0, 0);
      case Value.Integers whole -> json.writeNumber(whole.at(0));
      case Value.Tuple _, Value.Plain _ ->
          throw new IllegalArgumentException("observation must have arrays, was " + value);
    }
  }

  /// Writes an array, a list a dimension, and returns where it ends.
  private static int array(
      JsonGenerator json, Value.Floats floats, List<Integer> shape, int depth, int from) {
    if (depth == shape.size()) {
      json.writeNumber((float) floats.at(from));
      return from + 1;
    }
    int at = from;
    json.writeStartArray();
    for (int i = 0; i < shape.get(depth); i++) {
      at = array(json, floats, shape, depth + 1, at);
    }
    json.writeEndArray();
    return at;
  }

  /// Reads answers.
  public static List<Prediction> predictions(@Nullable Object body) {
    return new RequestFields("", body)
        .list(
            "predictions",
            MAX_OBSERVATIONS,
            (where, value) -> {
              var fields = new RequestFields(where, value);
              return new Prediction(
                  (int) fields.whole("action", 0, Integer.MAX_VALUE),
                  fields.floats("scores", Integer.MAX_VALUE),
                  fields.truth("cached"));
            });
  }
}
