package io.tranche.cli.replay;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.serving.Answer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.client.TrancheClient;
import io.tranche.work.decide.DecisionMaker;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Decisions of a service.
///
/// Days are left open at their end, so that orders can be inspected; the service closes the oldest
/// by itself.
public final class ServiceDecisions implements DecisionMaker {

  /// How a service is asked.
  ///
  /// @param deadlineMicros how long a decision may take; null for the service's own
  /// @param weeks by how many all dates are moved
  /// @param suffix what ids of orders end with
  public record Manner(@Nullable Long deadlineMicros, long weeks, String suffix) {}

  private final PatientClient client;
  private final Manner manner;
  private Map<String, Answer.Model> models;

  /// The newest child order of each order that may be out.
  private final Map<String, Integer> out = new HashMap<>();

  private ServiceDecisions(PatientClient client, Manner manner, Map<String, Answer.Model> models) {
    this.client = client;
    this.manner = manner;
    this.models = models;
  }

  /// Asks a service for its models, once.
  ///
  /// @throws io.tranche.config.ConfigException if it wants another token
  /// @throws DataException if it cannot be reached, or has no model
  public static ServiceDecisions of(PatientClient client, Manner manner) {
    Map<String, Answer.Model> models = byName(client.once(TrancheClient::models));
    if (models.isEmpty()) {
      throw new DataException(client.url(), "a service with a model", "one without");
    }
    return new ServiceDecisions(client, manner, models);
  }

  /// Returns the same service, asked on other dates and for other orders.
  ///
  /// @param suffix what their ids end with
  ServiceDecisions later(long weeks, String suffix) {
    var later = new Manner(manner.deadlineMicros, manner.weeks + weeks, manner.suffix + suffix);
    return new ServiceDecisions(client, later, models);
  }

  private static Map<String, Answer.Model> byName(Answer.Models answer) {
    var models = new TreeMap<String, Answer.Model>();
    answer.models().forEach(each -> models.put(each.name(), each));
    return models;
  }

  @Override
  public Wants wants() {
    Answer.Model any = models.values().iterator().next();
    var fields = new LinkedHashSet<String>();
    models.values().forEach(each -> fields.addAll(each.fields()));
    return new Wants(
        any.session(),
        any.sessions(),
        any.frequency(),
        List.copyOf(fields),
        models.values().stream().mapToInt(Answer.Model::earlierDays).max().orElse(0));
  }

  @Override
  public void openDay(String instrument, LocalDate date, long[] times, List<DayFrame> earlier) {
    List<String> fields = wants().fields();
    var days = new ArrayList<Request.EarlierDay>();
    LocalDate before = null;
    for (DayFrame frame : earlier) {
      days.add(earlierDay(frame, before, fields));
      before = frame.date();
    }
    var request =
        new Request.OpenDay(
            instrument, moved(date), days, hours(instrument, date, before, times[0], times.length));
    client.ask("%s %s".formatted(instrument, moved(date)), to -> to.openDay(request));
  }

  private Request.EarlierDay earlierDay(
      DayFrame frame, @Nullable LocalDate before, List<String> fields) {
    var bars = new ArrayList<Request.Bar>();
    for (int tick = 0; tick < frame.ticks(); tick++) {
      if (!frame.isMissing(tick)) {
        var values = new ArrayList<Float>();
        for (String field : fields) {
          values.add(frame.value(frame.fieldIndex(field), tick));
        }
        bars.add(
            new Request.Bar(
                frame.instrument(), moved(frame.date()), moved(frame.time(tick)), fields, values));
      }
    }
    return new Request.EarlierDay(
        moved(frame.date()),
        bars,
        hours(frame.instrument(), frame.date(), before, frame.time(0), frame.ticks()));
  }

  /// Returns what the service cannot know of a day's hours: the evening on which it opened, and how
  /// many ticks it has if it closed early.
  private Request.Hours hours(
      String instrument, LocalDate date, @Nullable LocalDate before, long opens, int ticks) {
    Wants wants = wants();
    long[] usual =
        DecisionRuntime.barTimes(wants.session(instrument), wants.frequency(), date, before);
    return new Request.Hours(
        opens == usual[0] ? null : moved(BarTime.date(opens)),
        ticks == usual.length ? null : (Integer) ticks);
  }

  @Override
  public Terms openOrder(NamedOrder named, LocalDate date) {
    Order order = named.order();
    var request =
        new Request.OpenOrder(
            id(named.id()),
            order.instrument(),
            moved(date),
            order.side(),
            order.amount(),
            order.start().plusWeeks(manner.weeks()),
            order.end().plusWeeks(manner.weeks()),
            null);
    Answer.OrderState state = client.ask(named.place(), to -> to.openOrder(request));
    if (!models.containsKey(state.model())) {
      models = byName(client.ask(client.url(), TrancheClient::models)); // loaded meanwhile
    }
    Answer.Model model = models.get(state.model());
    if (model == null) {
      throw new DataException(named.place(), "an order of a model that is loaded", state.model());
    }
    return new Terms(model.ticksPerStep(), model.isQlib(), model.frictions());
  }

  @Override
  public void bars(List<Bar> bars) {
    var requests = bars.stream().map(this::request).toList();
    List<Answer.BarTaken> answers = client.exchange(requests, Answer.BarTaken.class);
    for (int i = 0; i < answers.size(); i++) {
      BarAnswer answer = answers.get(i).answer();
      if (answer != BarAnswer.TAKEN && answer != BarAnswer.REPEATED) {
        throw client.unexpected(requests.get(i), answers.get(i));
      }
    }
  }

  private Request request(Bar bar) {
    return new Request.Bar(
        bar.instrument(), moved(bar.date()), moved(bar.time()), bar.fields(), bar.values());
  }

  @Override
  public List<Child> decide(List<Due> due) {
    withdraw(due);
    var requests = new ArrayList<Request>();
    for (Due each : due) {
      requests.add(new Request.Decide(id(each.id()), each.step(), manner.deadlineMicros()));
    }
    List<Answer.Child> children = client.exchange(requests, Answer.Child.class);
    for (Answer.Child child : children) {
      if (child.volume() > 0) {
        out.put(child.id(), child.step());
      }
    }
    return children.stream().map(ServiceDecisions::child).toList();
  }

  /// Reports that the child orders before are no longer out: assumed fills end with their step.
  private void withdraw(List<Due> due) {
    var reports = new ArrayList<Request>();
    for (Due each : due) {
      Integer step = out.remove(id(each.id()));
      if (step != null) {
        reports.add(new Request.Report(id(each.id()), step, Phase.DONE));
      }
    }
    client.exchange(reports, Answer.OrderState.class);
  }

  private static Child child(Answer.Child child) {
    Double offset = child.limitOffsetBps();
    return new Child(
        child.volume(),
        offset == null ? Kind.MARKET : new Kind.Limit(offset),
        -1,
        switch (child.source()) {
          case MODEL -> Source.MODEL;
          case TWAP -> Source.TWAP;
          case KILL_SWITCH -> Source.KILL_SWITCH;
        },
        child.limited());
  }

  @Override
  public void fill(List<Fill> fills) {
    var requests = new ArrayList<Request>();
    for (Fill fill : fills) {
      requests.add(
          new Request.Fill(id(fill.id()), "" + fill.number(), fill.volume(), fill.price()));
    }
    client.exchange(requests, Answer.OrderState.class);
  }

  @Override
  public void closeDay(String instrument, LocalDate date) {}

  private String id(String id) {
    return id + manner.suffix();
  }

  private LocalDate moved(LocalDate date) {
    return date.plusWeeks(manner.weeks());
  }

  private LocalDateTime moved(long time) {
    return BarTime.dateTime(time).plusWeeks(manner.weeks());
  }
}
