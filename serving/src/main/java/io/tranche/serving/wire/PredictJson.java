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

/// Requests for predictions, with Qlib's observation dictionaries, and their answers.
public final class PredictJson {

  /// How many observations one request holds at most.
  public static final int MAX_OBSERVATIONS = 1024;

  private static final List<String> ARRAYS =
      List.of("data_processed", "data_processed_prev", "position_history");
  private static final List<String> WHOLES =
      List.of("acquiring", "cur_tick", "cur_step", "num_step");
  private static final List<String> AMOUNTS = List.of("target", "position");

  private PredictJson() {}

  /// A request for predictions.
  ///
  /// @param model null for the model that new orders go to
  /// @param deadlineMicros null for the service's default
  public record Question(
      @Nullable String model,
      List<FullHistoryObservation> observations,
      @Nullable Long deadlineMicros) {
    public Question {
      observations = List.copyOf(observations);
    }
  }

  /// The predictions of a model.
  ///
  /// @param fingerprint of the model
  /// @param predictions one per observation, in their order
  public record Answers(String fingerprint, List<Prediction> predictions) {
    public Answers {
      predictions = List.copyOf(predictions);
    }
  }

  public static Question question(JsonForm form, @Nullable Question of) {
    String model = form.nameIfAny("model", of, Question::model);
    Long deadline = RequestJson.deadline(form, of, Question::deadlineMicros);
    List<FullHistoryObservation> seen =
        of == null && form.has("observation")
            ? List.of(
                form.object(
                    "observation",
                    of,
                    each -> each.observations().getFirst(),
                    PredictJson::observation))
            : form.list(
                "observations",
                MAX_OBSERVATIONS,
                of,
                Question::observations,
                PredictJson::observation);
    if (seen.isEmpty()) {
      throw form.wrong("observations", "at least one");
    }
    return new Question(model, seen, deadline);
  }

  private static FullHistoryObservation observation(
      JsonForm fields, @Nullable FullHistoryObservation of) {
    if (of != null) {
      if (of.toValue() instanceof Value.Dict(var parts)) {
        parts.forEach((name, part) -> write(fields.out(), name, part));
      }
      return of;
    }
    var entries = new LinkedHashMap<String, Value>();
    for (String key : ARRAYS) {
      List<Integer> shape = new ArrayList<>();
      double[] data = array(fields, key, shape);
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
      return FullHistoryObservation.fromValue(new Value.Dict(entries));
    } catch (DataException e) {
      throw new MalformedException(
          "observation", "Qlib's dictionary", "another: " + e.getMessage());
    }
  }

  /// Reads the number at `key`, or the numbers of a list, or of a list of lists.
  ///
  /// @param shape receives the extents
  private static double[] array(JsonForm fields, String key, List<Integer> shape) {
    return switch (fields.required(key)) {
      case Number number -> new double[] {number.doubleValue()};
      case StrictJson.Numbers numbers -> {
        shape.add(numbers.size());
        yield numbers.toArray();
      }
      case List<?> rows -> matrix(fields, key, rows, shape);
      default -> throw fields.wrong(key, "a number, a list or a matrix");
    };
  }

  private static double[] matrix(JsonForm fields, String key, List<?> rows, List<Integer> shape) {
    int width = rows.getFirst() instanceof StrictJson.Numbers first ? first.size() : 0;
    double[] all = new double[Math.multiplyExact(rows.size(), width)];
    for (int i = 0; i < rows.size(); i++) {
      if (!(rows.get(i) instanceof StrictJson.Numbers row) || row.size() != width) {
        throw new MalformedException(
            "%s[%d]".formatted(fields.place(key), i),
            width + " numbers",
            JsonValues.describe(rows.get(i)));
      }
      row.copyTo(all, i * width);
    }
    shape.add(rows.size());
    shape.add(width);
    return all;
  }

  private static void requireSingle(JsonForm fields, String key, double value) {
    if (!Float.isFinite((float) value)) {
      throw fields.wrong(key, "numbers of single precision");
    }
  }

  public static Answers answers(JsonForm form, @Nullable Answers of) {
    return new Answers(
        form.text("fingerprint", of, Answers::fingerprint),
        form.list(
            "predictions",
            MAX_OBSERVATIONS,
            of,
            Answers::predictions,
            (each, prediction) ->
                new Prediction(
                    (int)
                        each.whole("action", -1, Integer.MAX_VALUE, prediction, Prediction::action),
                    each.floats("scores", Integer.MAX_VALUE, prediction, Prediction::scores),
                    each.truth("cached", prediction, Prediction::isCached))));
  }

  private static void write(JsonGenerator json, String name, Value value) {
    json.writeName(name);
    switch (value) {
      case Value.Floats floats -> array(json, floats, floats.shape(), 0, 0);
      case Value.Integers whole -> json.writeNumber(whole.at(0));
      case Value.Dict _, Value.Tuple _, Value.Plain _ ->
          throw new IllegalArgumentException("observation must have arrays, was " + value);
    }
  }

  /// Writes an array, one nested list per dimension, and returns where it ends.
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
}
