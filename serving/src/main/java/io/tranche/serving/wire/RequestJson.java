package io.tranche.serving.wire;

import io.tranche.market.Side;
import io.tranche.serving.Limit;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.Route;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

  /// Many bars in one request.
  public record Bars(List<Request.Bar> bars) {
    public Bars {
      bars = List.copyOf(bars);
    }
  }

  public static byte[] write(Request request) {
    return JsonForm.write(
        request,
        (form, _) ->
            switch (request) {
              case Request.OpenDay day -> openDay(form, day);
              case Request.Bar bar -> bar(form, bar);
              case Request.OpenOrder order -> openOrder(form, order);
              case Request.Decide decide -> decide(decide.id(), form, decide);
              case Request.Fill fill -> fill(fill.id(), form, fill);
              case Request.EndDays days -> endDays(form, days);
              case Request.Amend amend -> amend(amend.id(), form, amend);
              case Request.Report report -> report(report.id(), form, report);
              case Request.Reference reference -> reference(form, reference);
              case Request.Halt halt -> halt(form, halt);
              case Request.Heartbeat beat -> heartbeat(form, beat);
              case Request.SetLimits limits -> limits(form, limits);
              case Request.CorrectFill fill -> correctFill(form, fill);
              case Request.CorrectBar bar -> new Request.CorrectBar(bar(form, bar.bar()));
              case Request.Switch off -> killSwitch(form, off);
              case Request.Load load -> load(form, load);
              case Request.Unload unload -> unload(form, unload);
              case Request.SetRoute route -> route(form, route);
              case Request.Cancel _,
                  Request.Look _,
                  Request.Inspect _,
                  Request.ListLimits _,
                  Request.ListUnmatched _,
                  Request.ListOrders _,
                  Request.ListModels _,
                  Request.ListSwitches _ ->
                  request;
            });
  }

  public static Request.OpenDay openDay(JsonForm form, Request.@Nullable OpenDay of) {
    String instrument = form.name("instrument", of, Request.OpenDay::instrument);
    return new Request.OpenDay(
        instrument,
        form.date("date", of, Request.OpenDay::date),
        of != null || form.has("earlier")
            ? form.list(
                "earlier",
                MAX_DAYS,
                of,
                Request.OpenDay::earlier,
                (day, earlier) -> earlier(day, instrument, earlier))
            : List.of(),
        hours(form, of == null ? null : of.hours()));
  }

  private static Request.Hours hours(JsonForm form, Request.@Nullable Hours of) {
    LocalDate before = form.dateIfAny("before", of, Request.Hours::before);
    Long ticks = form.wholeIfAny("ticks", 1, MAX_BARS * 10L, of, Request.Hours::ticks);
    return new Request.Hours(before, ticks == null ? null : (Integer) ticks.intValue());
  }

  private static Request.EarlierDay earlier(
      JsonForm form, String instrument, Request.@Nullable EarlierDay of) {
    LocalDate date = form.date("date", of, Request.EarlierDay::date);
    List<String> fields =
        form.names(
            "fields",
            MAX_FIELDS,
            of,
            day -> day.bars().isEmpty() ? List.of() : day.bars().getFirst().fields());
    return new Request.EarlierDay(
        date,
        form.list(
            "bars",
            MAX_BARS,
            of,
            Request.EarlierDay::bars,
            (each, bar) ->
                new Request.Bar(
                    instrument,
                    date,
                    each.time("time", bar, Request.Bar::time),
                    fields,
                    values(each, fields, bar))),
        hours(form, of == null ? null : of.hours()));
  }

  private static List<Float> values(JsonForm form, List<String> fields, Request.@Nullable Bar of) {
    List<Float> values = form.floats("values", MAX_FIELDS, of, Request.Bar::values);
    if (values.size() != fields.size()) {
      throw form.wrong("values", "%d numbers, one per field".formatted(fields.size()));
    }
    return values;
  }

  public static Request.Bar bar(JsonForm form, Request.@Nullable Bar of) {
    String instrument = form.name("instrument", of, Request.Bar::instrument);
    LocalDate date = form.date("date", of, Request.Bar::date);
    var time = form.time("time", of, Request.Bar::time);
    List<String> fields = form.names("fields", MAX_FIELDS, of, Request.Bar::fields);
    return new Request.Bar(instrument, date, time, fields, values(form, fields, of));
  }

  /// Whether the body of a request has many bars.
  public static boolean isBatch(@Nullable Object body) {
    return JsonForm.read(body, (form, _) -> form.has("bars"));
  }

  public static Bars bars(JsonForm form, @Nullable Bars of) {
    return new Bars(form.list("bars", MAX_BARS, of, Bars::bars, RequestJson::bar));
  }

  public static Request.OpenOrder openOrder(JsonForm form, Request.@Nullable OpenOrder of) {
    return new Request.OpenOrder(
        form.name("id", of, Request.OpenOrder::id),
        form.name("instrument", of, Request.OpenOrder::instrument),
        form.date("date", of, Request.OpenOrder::date),
        form.choice("side", Side.class, of, Request.OpenOrder::side),
        form.number("amount", of, Request.OpenOrder::amount),
        form.time("start", of, Request.OpenOrder::start),
        form.time("end", of, Request.OpenOrder::end),
        form.nameIfAny("model", of, Request.OpenOrder::model),
        form.nameIfAny("account", of, Request.OpenOrder::account),
        form.nameIfAny("replaces", of, Request.OpenOrder::replaces));
  }

  public static Request.Amend amend(String id, JsonForm form, Request.@Nullable Amend of) {
    return new Request.Amend(
        id,
        form.numberIfAny("amount", of, Request.Amend::amount),
        form.timeIfAny("end", of, Request.Amend::end));
  }

  public static Request.Report report(String id, JsonForm form, Request.@Nullable Report of) {
    int step = (int) form.whole("step", 0, MAX_STEP, of, Request.Report::step);
    Phase phase = form.choice("phase", Phase.class, of, Request.Report::phase);
    if (phase != Phase.WORKING && phase != Phase.DONE) {
      throw form.wrong("phase", "working or done");
    }
    return new Request.Report(id, step, phase);
  }

  public static Request.Reference reference(JsonForm form, Request.@Nullable Reference of) {
    return new Request.Reference(
        form.name("instrument", of, Request.Reference::instrument),
        form.date("date", of, Request.Reference::date),
        form.number("price", of, Request.Reference::price));
  }

  public static Request.Halt halt(JsonForm form, Request.@Nullable Halt of) {
    return new Request.Halt(
        form.name("instrument", of, Request.Halt::instrument),
        form.date("date", of, Request.Halt::date),
        form.truth("halted", of, Request.Halt::isHalted));
  }

  public static Request.Heartbeat heartbeat(JsonForm form, Request.@Nullable Heartbeat of) {
    return new Request.Heartbeat(
        form.name("account", of, Request.Heartbeat::account),
        (int) form.whole("seconds", 0, 86_400, of, Request.Heartbeat::seconds));
  }

  public static Request.SetLimits limits(JsonForm form, Request.@Nullable SetLimits of) {
    var scope = form.choice("scope", Request.Scope.class, of, Request.SetLimits::scope);
    String name = form.nameIfAny("name", of, Request.SetLimits::name);
    if (scope == Request.Scope.MODEL || (scope == Request.Scope.ALL) != (name == null)) {
      throw form.wrong("name", "a name only for an account or an instrument");
    }
    return new Request.SetLimits(
        scope,
        name,
        form.object("limits", of, Request.SetLimits::limits, RequestJson::limitValues));
  }

  private static RiskLimits limitValues(JsonForm form, @Nullable RiskLimits of) {
    var values = new EnumMap<Limit, Double>(Limit.class);
    for (Limit limit : Limit.values()) {
      Double value = form.numberIfAny(limit.key(), of, each -> each.values().get(limit));
      if (value != null) {
        values.put(limit, value);
      }
    }
    try {
      return new RiskLimits(values);
    } catch (IllegalArgumentException e) {
      throw new MalformedException("limits", String.valueOf(e.getMessage()), "others");
    }
  }

  public static Request.CorrectFill correctFill(JsonForm form, Request.@Nullable CorrectFill of) {
    return new Request.CorrectFill(
        form.name("id", of, Request.CorrectFill::id),
        form.name("fill_id", of, Request.CorrectFill::fillId),
        form.number("volume", of, Request.CorrectFill::volume),
        form.number("price", of, Request.CorrectFill::price));
  }

  public static Request.Decide decide(String id, JsonForm form, Request.@Nullable Decide of) {
    return new Request.Decide(
        id,
        step(form, of, Request.Decide::step),
        deadline(form, of, Request.Decide::deadlineMicros));
  }

  private static <T> @Nullable Integer step(
      JsonForm form, @Nullable T of, Function<T, @Nullable Number> part) {
    Long step = form.wholeIfAny("step", 0, MAX_STEP, of, part);
    return step == null ? null : (Integer) step.intValue();
  }

  static <T> @Nullable Long deadline(
      JsonForm form, @Nullable T of, Function<T, @Nullable Number> part) {
    return form.wholeIfAny("deadline_micros", 1, MAX_DEADLINE_MICROS, of, part);
  }

  public static Request.Fill fill(String id, JsonForm form, Request.@Nullable Fill of) {
    return new Request.Fill(
        id,
        form.name("fill_id", of, Request.Fill::fillId),
        step(form, of, Request.Fill::step),
        form.number("volume", of, Request.Fill::volume),
        form.number("price", of, Request.Fill::price));
  }

  public static Request.EndDays endDays(JsonForm form, Request.@Nullable EndDays of) {
    return new Request.EndDays(
        form.nameIfAny("instrument", of, Request.EndDays::instrument),
        form.date("up_to", of, Request.EndDays::upTo));
  }

  public static Request.Switch killSwitch(JsonForm form, Request.@Nullable Switch of) {
    var scope = form.choice("scope", Request.Scope.class, of, Request.Switch::scope);
    String name = form.nameIfAny("name", of, Request.Switch::name);
    if ((scope == Request.Scope.ALL) != (name == null)) {
      throw form.wrong("name", "a name only for a model, an instrument or an account");
    }
    return new Request.Switch(scope, name, form.truth("off", of, Request.Switch::isOff));
  }

  public static Request.Load load(JsonForm form, Request.@Nullable Load of) {
    return new Request.Load(model(form, of, Request.Load::model));
  }

  public static Request.Unload unload(JsonForm form, Request.@Nullable Unload of) {
    return new Request.Unload(model(form, of, Request.Unload::model));
  }

  private static <T> String model(JsonForm form, @Nullable T of, Function<T, String> part) {
    String model = form.name("model", of, part);
    if (of == null
        && !model.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*(@[A-Za-z0-9_][A-Za-z0-9_.-]*)?")) {
      throw form.wrong("model", "name@version of letters, digits, '_', '.' and '-'");
    }
    return model;
  }

  public static Request.SetRoute route(JsonForm form, Request.@Nullable SetRoute of) {
    Route route = of == null ? null : of.route();
    String model = form.name("model", route, Route::model);
    String canary = form.nameIfAny("canary", route, Route::canary);
    double share =
        route != null || form.has("canary_share")
            ? form.number("canary_share", route, Route::canaryShare)
            : 0;
    if (!(share >= 0 && share <= 1)) {
      throw form.wrong("canary_share", "a number in [0, 1]");
    }
    return new Request.SetRoute(
        new Route(
            model,
            canary,
            share,
            route != null || form.has("shadows")
                ? form.names("shadows", MAX_SHADOWS, route, Route::shadows)
                : List.of()));
  }
}
