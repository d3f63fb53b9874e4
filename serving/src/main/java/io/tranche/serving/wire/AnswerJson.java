package io.tranche.serving.wire;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Answers as JSON objects.
public final class AnswerJson {

  private AnswerJson() {}

  /// Returns an answer that is no refusal.
  public static byte[] write(Answer answer) {
    return Json.writeObject(json -> write(json, answer));
  }

  /// Returns the answers to many requests, refusals among them.
  public static byte[] write(List<Answer> answers) {
    return Json.writeObject(
        json -> {
          json.writeArrayPropertyStart("answers");
          for (Answer answer : answers) {
            json.writeStartObject();
            write(json, answer);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, Answer answer) {
    switch (answer) {
      case Answer.DayOpen day -> json.writeStringProperty("instrument", day.instrument());
      case Answer.BarTaken bar -> json.writeStringProperty("answer", EnumNames.of(bar.answer()));
      case Answer.OrderState state -> state(json, state);
      case Answer.Orders orders -> {
        json.writeArrayPropertyStart("orders");
        for (Answer.OrderState state : orders.states()) {
          json.writeStartObject();
          state(json, state);
          json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanProperty("whole", orders.isWhole());
      }
      case Answer.Models models -> ModelJson.write(json, models);
      case Answer.Child child -> child(json, child);
      case Answer.Done done -> json.writeStringProperty("message", done.message());
      case Answer.Refused refused -> {
        json.writeStringProperty("error", EnumNames.of(refused.reason()));
        json.writeStringProperty("message", refused.message());
      }
    }
  }

  private static void state(JsonGenerator json, Answer.OrderState state) {
    json.writeStringProperty("id", state.id());
    json.writeStringProperty("model", state.model());
    json.writeStringProperty("status", EnumNames.of(state.status()));
    json.writeNumberProperty("amount", state.amount());
    json.writeNumberProperty("remaining", state.remaining());
    json.writeNumberProperty("working", state.working());
    Json.number(json, "average_price", state.averagePrice());
    json.writeNumberProperty("next_step", state.nextStep());
    json.writeBooleanProperty("due", state.isDue());
    json.writeNumberProperty("filled", state.filled());
  }

  private static void child(JsonGenerator json, Answer.Child child) {
    json.writeStringProperty("id", child.id());
    json.writeNumberProperty("step", child.step());
    json.writeNumberProperty("volume", child.volume());
    Double offset = child.limitOffsetBps();
    Json.number(json, "limit_offset_bps", offset == null ? Double.NaN : offset);
    json.writeStringProperty("source", EnumNames.of(child.source()));
    if (child.limited() == null) {
      json.writeNullProperty("limited");
    } else {
      json.writeStringProperty("limited", child.limited());
    }
  }

  /// Returns an error as every endpoint gives it.
  ///
  /// @param reason one word
  /// @param request by which it is found in the log
  public static byte[] error(String reason, String message, String request) {
    return Json.writeObject(
        json -> {
          json.writeStringProperty("error", reason);
          json.writeStringProperty("message", message);
          json.writeStringProperty("request", request);
        });
  }

  /// Reads a state.
  ///
  /// @throws MalformedException if it is none
  public static Answer.OrderState state(@Nullable Object body) {
    return state(new RequestFields("", body));
  }

  /// Reads how orders stand.
  public static Answer.Orders orders(@Nullable Object body) {
    var fields = new RequestFields("", body);
    return new Answer.Orders(
        fields.list(
            "orders",
            Request.ListOrders.MOST,
            (where, value) -> state(new RequestFields(where, value))),
        fields.truth("whole"));
  }

  private static Answer.OrderState state(RequestFields fields) {
    return new Answer.OrderState(
        fields.name("id"),
        fields.text("model"),
        fields.choice("status", Status.class),
        fields.number("amount"),
        fields.number("remaining"),
        fields.number("working"),
        fields.numberOrNan("average_price"),
        (int) fields.whole("next_step", 0, Integer.MAX_VALUE),
        fields.truth("due"),
        fields.number("filled"));
  }

  /// Reads a child order.
  public static Answer.Child child(@Nullable Object body) {
    var fields = new RequestFields("", body);
    return new Answer.Child(
        fields.name("id"),
        (int) fields.whole("step", 0, Integer.MAX_VALUE),
        fields.number("volume"),
        fields.has("limit_offset_bps") ? (Double) fields.number("limit_offset_bps") : null,
        fields.choice("source", Answer.Source.class),
        fields.nameOrNull("limited"));
  }

  /// Reads what became of a bar.
  public static Answer.BarTaken barTaken(@Nullable Object body) {
    return new Answer.BarTaken(new RequestFields("", body).choice("answer", BarAnswer.class));
  }

  /// Reads what became of many bars.
  public static List<Answer> barsTaken(@Nullable Object body) {
    return new ArrayList<>(
        new RequestFields("", body)
            .list(
                "answers",
                RequestJson.MAX_BARS,
                (where, each) -> {
                  var fields = new RequestFields(where, each);
                  return fields.has("error")
                      ? refused(fields)
                      : new Answer.BarTaken(fields.choice("answer", BarAnswer.class));
                }));
  }

  /// Reads an error; those that are no reason of the service's keep their word in the message.
  public static Answer.Refused refused(@Nullable Object body) {
    return refused(new RequestFields("", body));
  }

  private static Answer.Refused refused(RequestFields fields) {
    String word = fields.text("error");
    String message = fields.text("message");
    for (Answer.Reason each : Answer.Reason.values()) {
      if (EnumNames.of(each).equals(word)) {
        return new Answer.Refused(each, message);
      }
    }
    return new Answer.Refused(
        Answer.Reason.INVALID, "%s: %s".formatted(word.toLowerCase(Locale.ROOT), message));
  }

  /// Reads a message.
  public static Answer.Done done(@Nullable Object body) {
    return new Answer.Done(new RequestFields("", body).text("message"));
  }
}
