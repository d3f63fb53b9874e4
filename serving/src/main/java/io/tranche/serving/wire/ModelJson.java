package io.tranche.serving.wire;

import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.serving.Answer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// What models want, as JSON.
public final class ModelJson {

  private static final String QLIB = "qlib";
  private static final int MOST = 10_000;
  private static final int DAY = 86_400;

  private ModelJson() {}

  static void write(JsonGenerator json, Answer.Models models) {
    json.writeArrayPropertyStart("models");
    for (Answer.Model model : models.models()) {
      json.writeStartObject();
      json.writeStringProperty("model", model.name());
      json.writeStringProperty("dialect", model.isQlib() ? QLIB : "native");
      json.writeStringProperty("frequency", model.frequency().toString());
      json.writeObjectPropertyStart("session");
      json.writeStringProperty("name", model.session().name());
      json.writeArrayPropertyStart("segments");
      for (Session.Segment segment : model.session().segments()) {
        json.writeStartObject();
        json.writeNumberProperty("open", segment.open());
        json.writeNumberProperty("close", segment.close());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeArrayPropertyStart("fields");
      model.fields().forEach(json::writeString);
      json.writeEndArray();
      json.writeNumberProperty("earlier_days", model.earlierDays());
      json.writeNumberProperty("ticks_per_step", model.ticksPerStep());
      json.writeNumberProperty("max_steps", model.maxSteps());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /// Reads what models want.
  ///
  /// @throws MalformedException if it is something else
  public static Answer.Models models(@Nullable Object body) {
    return new Answer.Models(
        new RequestFields("", body)
            .list("models", MOST, (where, value) -> model(new RequestFields(where, value))));
  }

  private static Answer.Model model(RequestFields fields) {
    return new Answer.Model(
        fields.name("model"),
        session(fields.object("session")),
        frequency(fields),
        fields.names("fields", MOST),
        (int) fields.whole("earlier_days", 0, DAY),
        (int) fields.whole("ticks_per_step", 1, DAY),
        (int) fields.whole("max_steps", 1, DAY),
        fields.text("dialect").equals(QLIB));
  }

  private static Session session(RequestFields fields) {
    try {
      return new Session(
          fields.text("name"),
          fields.list(
              "segments",
              MOST,
              (where, value) -> {
                var segment = new RequestFields(where, value);
                return new Session.Segment(
                    (int) segment.whole("open", -DAY, DAY),
                    (int) segment.whole("close", -DAY, DAY));
              }));
    } catch (IllegalArgumentException _) {
      throw fields.wrong("segments", "segments in order, in seconds from midnight");
    }
  }

  private static Frequency frequency(RequestFields fields) {
    try {
      return Frequency.parse(fields.text("frequency"));
    } catch (IllegalArgumentException | ArithmeticException _) {
      throw fields.wrong("frequency", "a width such as 1min");
    }
  }
}
