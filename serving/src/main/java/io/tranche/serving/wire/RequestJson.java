package io.tranche.serving.wire;

import io.tranche.market.Side;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Requests as JSON objects. Those about one order have its id in the path and not in the body.
public final class RequestJson {

  /// How many bars one request holds at most.
  public static final int MAX_BARS = 10_000;

  private static final int MAX_FIELDS = 100;
  private static final int MAX_DAYS = 100;
  private static final int MAX_SHADOWS = 16;
  private static final int MAX_STEP = 1_000_000;
  private static final long MAX_DEADLINE_MICROS = 60_000_000;

  private RequestJson() {}

  public static Request.OpenDay openDay(@Nullable Object body) {
    var fields = new RequestFields("", body);
    String instrument = fields.name("instrument");
    return fields.end(
        new Request.OpenDay(
            instrument,
            fields.date("date"),
            fields.has("earlier")
                ? fields.list("earlier", MAX_DAYS, (where, day) -> earlier(where, day, instrument))
                : List.of()));
  }

  private static Request.EarlierDay earlier(
      String where, @Nullable Object value, String instrument) {
    var fields = new RequestFields(where, value);
    var date = fields.date("date");
    List<String> names = fields.names("fields", MAX_FIELDS);
    return fields.end(
        new Request.EarlierDay(
            date,
            fields.list(
                "bars",
                MAX_BARS,
                (place, each) -> {
                  var bar = new RequestFields(place, each);
                  return bar.end(
                      new Request.Bar(
                          instrument, date, bar.time("time"), names, values(bar, names)));
                })));
  }

  private static List<Float> values(RequestFields bar, List<String> names) {
    List<Float> values = bar.floats("values", MAX_FIELDS);
    if (values.size() != names.size()) {
      throw bar.wrong("values", "%d numbers, one a field".formatted(names.size()));
    }
    return values;
  }

  /// Whether the body of a request has many bars.
  public static boolean isBatch(@Nullable Object body) {
    return new RequestFields("", body).has("bars");
  }

  public static Request.Bar bar(@Nullable Object body) {
    return bar("", body);
  }

  public static List<Request.Bar> bars(@Nullable Object body) {
    var fields = new RequestFields("", body);
    return fields.end(fields.list("bars", MAX_BARS, RequestJson::bar));
  }

  private static Request.Bar bar(String where, @Nullable Object value) {
    var fields = new RequestFields(where, value);
    List<String> names = fields.names("fields", MAX_FIELDS);
    return fields.end(
        new Request.Bar(
            fields.name("instrument"),
            fields.date("date"),
            fields.time("time"),
            names,
            values(fields, names)));
  }

  public static Request.OpenOrder openOrder(@Nullable Object body) {
    var fields = new RequestFields("", body);
    return fields.end(
        new Request.OpenOrder(
            fields.name("id"),
            fields.name("instrument"),
            fields.date("date"),
            fields.choice("side", Side.class),
            fields.number("amount"),
            fields.time("start"),
            fields.time("end"),
            fields.nameOrNull("model")));
  }

  /// @param body null for an empty one
  public static Request.Decide decide(String id, @Nullable Object body) {
    if (body == null) {
      return new Request.Decide(id, null, null);
    }
    var fields = new RequestFields("", body);
    return fields.end(new Request.Decide(id, step(fields), deadline(fields)));
  }

  private static @Nullable Integer step(RequestFields fields) {
    return fields.has("step") ? (Integer) (int) fields.whole("step", 0, MAX_STEP) : null;
  }

  static @Nullable Long deadline(RequestFields fields) {
    return fields.has("deadline_micros")
        ? (Long) fields.whole("deadline_micros", 1, MAX_DEADLINE_MICROS)
        : null;
  }

  public static Request.Fill fill(String id, @Nullable Object body) {
    var fields = new RequestFields("", body);
    return fields.end(
        new Request.Fill(
            id,
            fields.name("fill_id"),
            step(fields),
            fields.number("volume"),
            fields.number("price")));
  }

  public static Request.EndDays endDays(@Nullable Object body) {
    var fields = new RequestFields("", body);
    return fields.end(new Request.EndDays(fields.nameOrNull("instrument"), fields.date("up_to")));
  }

  public static Request.Switch killSwitch(@Nullable Object body) {
    var fields = new RequestFields("", body);
    var scope = fields.choice("scope", Request.Scope.class);
    String name = fields.nameOrNull("name");
    if ((scope == Request.Scope.ALL) != (name == null)) {
      throw fields.wrong("name", "a name for a model or an instrument alone");
    }
    return fields.end(new Request.Switch(scope, name, fields.truth("off")));
  }

  /// Returns the model that is to be loaded or unloaded.
  public static String model(@Nullable Object body) {
    var fields = new RequestFields("", body);
    String model = fields.name("model");
    if (!model.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*(@[A-Za-z0-9_][A-Za-z0-9_.-]*)?")) {
      throw fields.wrong("model", "name@version of letters, digits, '_', '.' and '-'");
    }
    return fields.end(model);
  }

  public static Request.SetRoute route(@Nullable Object body) {
    var fields = new RequestFields("", body);
    double share = fields.has("canary_share") ? fields.number("canary_share") : 0;
    if (!(share >= 0 && share <= 1)) {
      throw fields.wrong("canary_share", "a number in [0, 1]");
    }
    return fields.end(
        new Request.SetRoute(
            new Route(
                fields.name("model"),
                fields.nameOrNull("canary"),
                share,
                fields.has("shadows") ? fields.names("shadows", MAX_SHADOWS) : List.of())));
  }

  /// Returns the body of a request, as the methods above read it.
  public static byte[] write(Request request) {
    return Json.writeObject(
        json -> {
          switch (request) {
            case Request.OpenDay day -> openDay(json, day);
            case Request.Bar bar -> bar(json, bar);
            case Request.OpenOrder order -> openOrder(json, order);
            case Request.Decide decide -> {
              if (decide.step() != null) {
                json.writeNumberProperty("step", decide.step());
              }
              if (decide.deadlineMicros() != null) {
                json.writeNumberProperty("deadline_micros", decide.deadlineMicros());
              }
            }
            case Request.Fill fill -> {
              json.writeStringProperty("fill_id", fill.fillId());
              if (fill.step() != null) {
                json.writeNumberProperty("step", fill.step());
              }
              json.writeNumberProperty("volume", fill.volume());
              json.writeNumberProperty("price", fill.price());
            }
            case Request.Cancel _, Request.Look _, Request.ListOrders _, Request.ListModels _ -> {}
            case Request.EndDays end -> {
              optional(json, "instrument", end.instrument());
              json.writeStringProperty("up_to", end.upTo().toString());
            }
            case Request.Switch off -> {
              json.writeStringProperty("scope", EnumNames.of(off.scope()));
              optional(json, "name", off.name());
              json.writeBooleanProperty("off", off.isOff());
            }
            case Request.Load load -> json.writeStringProperty("model", load.model());
            case Request.Unload unload -> json.writeStringProperty("model", unload.model());
            case Request.SetRoute set -> route(json, set.route());
          }
        });
  }

  /// Returns the body of a request with many bars.
  public static byte[] writeBars(List<Request.Bar> bars) {
    return Json.writeObject(
        json -> {
          json.writeArrayPropertyStart("bars");
          for (Request.Bar bar : bars) {
            json.writeStartObject();
            bar(json, bar);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void optional(JsonGenerator json, String name, @Nullable String value) {
    if (value != null) {
      json.writeStringProperty(name, value);
    }
  }

  private static void openDay(JsonGenerator json, Request.OpenDay day) {
    json.writeStringProperty("instrument", day.instrument());
    json.writeStringProperty("date", day.date().toString());
    json.writeArrayPropertyStart("earlier");
    for (Request.EarlierDay earlier : day.earlier()) {
      json.writeStartObject();
      json.writeStringProperty("date", earlier.date().toString());
      texts(
          json,
          "fields",
          earlier.bars().isEmpty() ? List.of() : earlier.bars().getFirst().fields());
      json.writeArrayPropertyStart("bars");
      for (Request.Bar bar : earlier.bars()) {
        json.writeStartObject();
        json.writeStringProperty("time", bar.time().toString());
        values(json, bar);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void bar(JsonGenerator json, Request.Bar bar) {
    json.writeStringProperty("instrument", bar.instrument());
    json.writeStringProperty("date", bar.date().toString());
    json.writeStringProperty("time", bar.time().toString());
    texts(json, "fields", bar.fields());
    values(json, bar);
  }

  private static void values(JsonGenerator json, Request.Bar bar) {
    json.writeArrayPropertyStart("values");
    for (float value : bar.values()) {
      if (Float.isNaN(value)) {
        json.writeNull();
      } else {
        json.writeNumber(value);
      }
    }
    json.writeEndArray();
  }

  private static void openOrder(JsonGenerator json, Request.OpenOrder order) {
    json.writeStringProperty("id", order.id());
    json.writeStringProperty("instrument", order.instrument());
    json.writeStringProperty("date", order.date().toString());
    json.writeStringProperty("side", EnumNames.of(order.side()));
    json.writeNumberProperty("amount", order.amount());
    json.writeStringProperty("start", order.start().toString());
    json.writeStringProperty("end", order.end().toString());
    optional(json, "model", order.model());
  }

  private static void route(JsonGenerator json, Route route) {
    json.writeStringProperty("model", route.model());
    optional(json, "canary", route.canary());
    json.writeNumberProperty("canary_share", route.canaryShare());
    texts(json, "shadows", route.shadows());
  }

  private static void texts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }
}
