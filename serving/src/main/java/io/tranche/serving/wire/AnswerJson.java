package io.tranche.serving.wire;

import io.tranche.backtest.Frictions;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Answers as JSON objects.
public final class AnswerJson {

  private static final String QLIB = "qlib";
  private static final int MAX_ITEMS = 10_000;
  private static final int MAX_FILLS = 1_000_000;
  private static final int DAY_SECONDS = 86_400;

  private AnswerJson() {}

  /// The answers to many requests, refusals among them.
  ///
  /// @param answers one per request, in their order
  public record Answers(List<Answer> answers) {
    public Answers {
      answers = List.copyOf(answers);
    }
  }

  public static byte[] write(Answer answer) {
    return JsonForm.write(answer, AnswerJson::write);
  }

  private static Answer write(JsonForm form, @Nullable Answer of) {
    return switch (of) {
      case null -> throw new IllegalArgumentException("answer must be given to be written");
      case Answer.DayOpen day ->
          new Answer.DayOpen(form.text("instrument", day, Answer.DayOpen::instrument));
      case Answer.BarTaken bar -> barTaken(form, bar);
      case Answer.OrderState state -> state(form, state);
      case Answer.Orders orders -> orders(form, orders);
      case Answer.Models models -> models(form, models);
      case Answer.Switches switches -> switches(form, switches);
      case Answer.Details details -> details(form, details);
      case Answer.LimitsInForce limits -> limits(form, limits);
      case Answer.UnmatchedFills fills -> unmatched(form, fills);
      case Answer.Child child -> child(form, child);
      case Answer.Done done -> done(form, done);
      case Answer.Refused refused -> refused(form, refused);
    };
  }

  /// The answers to many bars; any answers can be written.
  public static Answers answers(JsonForm form, @Nullable Answers of) {
    return new Answers(
        form.list(
            "answers",
            RequestJson.MAX_BARS,
            of,
            Answers::answers,
            (each, answer) -> {
              if (answer != null) {
                return write(each, answer);
              }
              return each.has("error") ? refused(each, null) : barTaken(each, null);
            }));
  }

  public static Answer.OrderState state(JsonForm form, Answer.@Nullable OrderState of) {
    return new Answer.OrderState(
        form.name("id", of, Answer.OrderState::id),
        form.text("model", of, Answer.OrderState::model),
        form.choice("status", Status.class, of, Answer.OrderState::status),
        form.number("amount", of, Answer.OrderState::amount),
        form.number("remaining", of, Answer.OrderState::remaining),
        form.number("working", of, Answer.OrderState::working),
        form.numberOrNan("average_price", of, Answer.OrderState::averagePrice),
        (int) form.whole("next_step", 0, Integer.MAX_VALUE, of, Answer.OrderState::nextStep),
        form.truth("due", of, Answer.OrderState::isDue),
        form.number("filled", of, Answer.OrderState::filled),
        form.choice("phase", Phase.class, of, Answer.OrderState::phase),
        form.number("out", of, Answer.OrderState::out),
        form.name("instrument", of, Answer.OrderState::instrument),
        form.choice("side", Side.class, of, Answer.OrderState::side),
        form.date("date", of, Answer.OrderState::date),
        form.time("start", of, Answer.OrderState::start),
        form.time("end", of, Answer.OrderState::end),
        form.nameOrNull("account", of, Answer.OrderState::account));
  }

  /// An order with its child orders and fills.
  public static Answer.Details details(JsonForm form, Answer.@Nullable Details of) {
    return new Answer.Details(
        form.object("state", of, Answer.Details::state, AnswerJson::state),
        form.list("children", MAX_ITEMS, of, Answer.Details::children, AnswerJson::childState),
        form.list("fills", MAX_FILLS, of, Answer.Details::fills, AnswerJson::fill));
  }

  private static Answer.ChildState childState(JsonForm form, Answer.@Nullable ChildState of) {
    return new Answer.ChildState(
        (int) form.whole("step", 0, Integer.MAX_VALUE, of, Answer.ChildState::step),
        form.number("volume", of, Answer.ChildState::volume),
        form.number("filled", of, Answer.ChildState::filled),
        form.choice("phase", Phase.class, of, Answer.ChildState::phase),
        form.choice("source", Answer.Source.class, of, Answer.ChildState::source),
        form.nameOrNull("limited", of, Answer.ChildState::limited));
  }

  private static Request.Fill fill(JsonForm form, Request.@Nullable Fill of) {
    String id = form.name("id", of, Request.Fill::id);
    return RequestJson.fill(id, form, of);
  }

  /// The limits in force.
  public static Answer.LimitsInForce limits(JsonForm form, Answer.@Nullable LimitsInForce of) {
    return new Answer.LimitsInForce(
        form.list("limits", MAX_ITEMS, of, Answer.LimitsInForce::limits, RequestJson::limits));
  }

  /// Fills of orders that are not known.
  public static Answer.UnmatchedFills unmatched(JsonForm form, Answer.@Nullable UnmatchedFills of) {
    return new Answer.UnmatchedFills(
        form.list("fills", MAX_ITEMS, of, Answer.UnmatchedFills::fills, AnswerJson::fill));
  }

  public static Answer.Orders orders(JsonForm form, Answer.@Nullable Orders of) {
    return new Answer.Orders(
        form.list("orders", Request.ListOrders.MOST, of, Answer.Orders::states, AnswerJson::state),
        form.truth("whole", of, Answer.Orders::isWhole));
  }

  public static Answer.Child child(JsonForm form, Answer.@Nullable Child of) {
    return new Answer.Child(
        form.name("id", of, Answer.Child::id),
        (int) form.whole("step", 0, Integer.MAX_VALUE, of, Answer.Child::step),
        form.number("volume", of, Answer.Child::volume),
        nullIfNan(form.numberOrNan("limit_offset_bps", of, AnswerJson::offset)),
        form.choice("source", Answer.Source.class, of, Answer.Child::source),
        form.nameOrNull("limited", of, Answer.Child::limited),
        nullIfNan(form.numberOrNan("reference_price", of, child -> orNan(child.referencePrice()))),
        nullIfNan(form.numberOrNan("limit_price", of, child -> orNan(child.limitPrice()))));
  }

  static double offset(Answer.Child child) {
    return orNan(child.limitOffsetBps());
  }

  static double orNan(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  static @Nullable Double nullIfNan(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  public static Answer.BarTaken barTaken(JsonForm form, Answer.@Nullable BarTaken of) {
    return new Answer.BarTaken(form.choice("answer", BarAnswer.class, of, Answer.BarTaken::answer));
  }

  /// A refusal. When reading, an error that is none of the service's reasons keeps its word in the
  /// message.
  public static Answer.Refused refused(JsonForm form, Answer.@Nullable Refused of) {
    String word = form.text("error", of, refused -> StrictJson.nameOf(refused.reason()));
    String message = form.text("message", of, Answer.Refused::message);
    for (Answer.Reason each : Answer.Reason.values()) {
      if (StrictJson.nameOf(each).equals(word)) {
        return new Answer.Refused(each, message);
      }
    }
    return new Answer.Refused(
        Answer.Reason.INVALID, "%s: %s".formatted(word.toLowerCase(Locale.ROOT), message));
  }

  /// Returns the body of an error, the same for every endpoint.
  ///
  /// @param reason one word
  /// @param request the id of the request in the log
  public static byte[] error(String reason, String message, String request) {
    return StrictJson.writeObject(
        json -> {
          json.writeStringProperty("error", reason);
          json.writeStringProperty("message", message);
          json.writeStringProperty("request", request);
        });
  }

  public static Answer.Done done(JsonForm form, Answer.@Nullable Done of) {
    return new Answer.Done(form.text("message", of, Answer.Done::message));
  }

  public static Answer.Switches switches(JsonForm form, Answer.@Nullable Switches of) {
    return new Answer.Switches(
        form.list("off", MAX_ITEMS, of, Answer.Switches::off, RequestJson::killSwitch));
  }

  public static Answer.Models models(JsonForm form, Answer.@Nullable Models of) {
    return new Answer.Models(
        form.list("models", MAX_ITEMS, of, Answer.Models::models, AnswerJson::model));
  }

  private static Answer.Model model(JsonForm form, Answer.@Nullable Model of) {
    String name = form.name("model", of, Answer.Model::name);
    String dialect = form.text("dialect", of, model -> model.isQlib() ? QLIB : "native");
    Frequency frequency = frequency(form, of);
    return new Answer.Model(
        name,
        form.object("session", of, Answer.Model::session, AnswerJson::session),
        frequency,
        form.names("fields", MAX_ITEMS, of, Answer.Model::fields),
        (int) form.whole("earlier_days", 0, DAY_SECONDS, of, Answer.Model::earlierDays),
        (int) form.whole("ticks_per_step", 1, DAY_SECONDS, of, Answer.Model::ticksPerStep),
        (int) form.whole("max_steps", 1, DAY_SECONDS, of, Answer.Model::maxSteps),
        dialect.equals(QLIB),
        sessions(form.plain("sessions", of, AnswerJson::sessions)),
        frictions(form.plain("frictions", of, AnswerJson::frictions)));
  }

  private static Map<String, Object> sessions(Answer.Model model) {
    var texts = new TreeMap<String, Object>();
    model.sessions().forEach((instrument, session) -> texts.put(instrument, session.text()));
    return texts;
  }

  private static Map<String, Session> sessions(Map<String, Object> texts) {
    var sessions = new TreeMap<String, Session>();
    texts.forEach(
        (instrument, text) -> {
          try {
            sessions.put(instrument, Session.parse(text.toString()));
          } catch (IllegalArgumentException _) {
            throw new MalformedException(
                "sessions." + instrument, "a session, or segments", text.toString());
          }
        });
    return sessions;
  }

  private static Map<String, Object> frictions(Answer.Model model) {
    return FrictionSettings.describe(model.frictions());
  }

  private static Frictions frictions(Map<String, Object> keys) {
    try {
      return FrictionSettings.frictions(ConfigFiles.of("frictions", keys));
    } catch (ConfigException e) {
      throw new MalformedException(
          "frictions", "frictions of a simulator", String.valueOf(e.getMessage()));
    }
  }

  private static Session session(JsonForm form, @Nullable Session of) {
    try {
      return Session.of(
          form.text("name", of, Session::name),
          form.list("segments", MAX_ITEMS, of, Session::segments, AnswerJson::segment));
    } catch (IllegalArgumentException _) {
      throw form.wrong("segments", "segments in order, in seconds from midnight");
    }
  }

  private static Session.Segment segment(JsonForm form, Session.@Nullable Segment of) {
    return new Session.Segment(
        (int) form.whole("open", -DAY_SECONDS, DAY_SECONDS, of, Session.Segment::open),
        (int) form.whole("close", -DAY_SECONDS, DAY_SECONDS, of, Session.Segment::close));
  }

  private static Frequency frequency(JsonForm form, Answer.@Nullable Model of) {
    try {
      return Frequency.parse(form.text("frequency", of, model -> model.frequency().toString()));
    } catch (IllegalArgumentException | ArithmeticException _) {
      throw form.wrong("frequency", "a width such as 1min");
    }
  }
}
