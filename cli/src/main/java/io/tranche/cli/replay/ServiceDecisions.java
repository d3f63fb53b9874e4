package io.tranche.cli.replay;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.config.ConfigException;
import io.tranche.experiment.decide.DecisionMaker;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.client.RefusedException;
import io.tranche.serving.client.TrancheClient;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Decisions of a service. Whatever gets no answer is asked for again, which changes nothing that
/// was done: a service that is killed and started again is gone on with.
///
/// Days are left open when they are over, so that orders can be looked at; the service ends the
/// oldest by itself.
public final class ServiceDecisions implements DecisionMaker {

  /// How many frames a request has; a service takes 1,024 unless it is told otherwise.
  private static final int FRAMES = 512;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /// How a service is asked.
  ///
  /// @param patience how long it may not answer
  /// @param deadlineMicros how long a decision may take; null for the service's own
  /// @param weeks by how many all dates are moved
  /// @param suffix what ids of orders end with
  public record Manner(
      Duration patience, @Nullable Long deadlineMicros, long weeks, String suffix) {}

  /// Hears that something is asked for again.
  @FunctionalInterface
  public interface Retries {
    void again(String why);
  }

  @FunctionalInterface
  private interface Call<T> {
    T send() throws IOException, InterruptedException;
  }

  private final TrancheClient client;
  private final String url;
  private final StopRequest stop;
  private final Retries retries;
  private final Manner manner;
  private Map<String, Answer.Model> models;

  private ServiceDecisions(
      TrancheClient client,
      String url,
      Manner manner,
      StopRequest stop,
      Retries retries,
      Map<String, Answer.Model> models) {
    this.client = client;
    this.url = url;
    this.manner = manner;
    this.stop = stop;
    this.retries = retries;
    this.models = models;
  }

  /// Asks a service for its models, once.
  ///
  /// @param url what to call it in errors
  /// @throws ConfigException if it wants another token
  /// @throws DataException if it cannot be reached, or has no model
  public static ServiceDecisions of(
      TrancheClient client, String url, Manner manner, StopRequest stop, Retries retries) {
    var service = new ServiceDecisions(client, url, manner, stop, retries, Map.of());
    try {
      service.models = byName(client.models());
    } catch (IOException e) {
      throw new DataException(url, "a service that answers", reason(e), e);
    } catch (RefusedException e) {
      throw service.refused(url, e.refusal(), e.status());
    } catch (InterruptedException e) {
      throw service.interrupted(e);
    }
    if (service.models.isEmpty()) {
      throw new DataException(url, "a service with a model", "one without");
    }
    return service;
  }

  /// Returns the same service, asked on other dates and for other orders.
  ///
  /// @param suffix what their ids end with
  ServiceDecisions later(long weeks, String suffix) {
    var later =
        new Manner(
            manner.patience, manner.deadlineMicros, manner.weeks + weeks, manner.suffix + suffix);
    return new ServiceDecisions(client, url, later, stop, retries, models);
  }

  private static Map<String, Answer.Model> byName(Answer.Models answer) {
    return answer.models().stream()
        .collect(Collectors.toMap(Answer.Model::name, Function.identity()));
  }

  @Override
  public Wants wants() {
    Answer.Model any = models.values().iterator().next();
    var fields = new LinkedHashSet<String>();
    models.values().forEach(each -> fields.addAll(each.fields()));
    return new Wants(
        any.session(),
        any.frequency(),
        List.copyOf(fields),
        models.values().stream().mapToInt(Answer.Model::earlierDays).max().orElse(0));
  }

  @Override
  public void openDay(String instrument, LocalDate date, List<DayFrame> earlier) {
    List<String> fields = wants().fields();
    var days = earlier.stream().map(frame -> earlierDay(frame, fields)).toList();
    var request = new Request.OpenDay(instrument, moved(date), days);
    ask("%s %s".formatted(instrument, moved(date)), () -> client.openDay(request));
  }

  private Request.EarlierDay earlierDay(DayFrame frame, List<String> fields) {
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
    return new Request.EarlierDay(moved(frame.date()), bars);
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
    Answer.OrderState state = ask(named.place(), () -> client.openOrder(request));
    if (!models.containsKey(state.model())) {
      models = ask(url, () -> byName(client.models())); // it was loaded meanwhile
    }
    Answer.Model model = models.get(state.model());
    if (model == null) {
      throw new DataException(named.place(), "an order of a model that is loaded", state.model());
    }
    return new Terms(model.ticksPerStep(), model.isQlib());
  }

  @Override
  public void bars(List<Bar> bars) {
    var requests = bars.stream().map(this::request).toList();
    List<Answer> answers = exchange(requests);
    for (int i = 0; i < answers.size(); i++) {
      boolean isTaken =
          answers.get(i) instanceof Answer.BarTaken(var answer)
              && (answer == BarAnswer.TAKEN || answer == BarAnswer.REPEATED);
      if (!isTaken) {
        throw unexpected(place(requests.get(i)), answers.get(i));
      }
    }
  }

  private Request request(Bar bar) {
    return new Request.Bar(
        bar.instrument(), moved(bar.date()), moved(bar.time()), bar.fields(), bar.values());
  }

  @Override
  public List<Child> decide(List<Due> due) {
    var requests = new ArrayList<Request>();
    due.forEach(
        each ->
            requests.add(new Request.Decide(id(each.id()), each.step(), manner.deadlineMicros())));
    List<Answer> answers = exchange(requests);
    var children = new ArrayList<Child>();
    for (int i = 0; i < answers.size(); i++) {
      if (!(answers.get(i) instanceof Answer.Child child)) {
        throw unexpected(place(requests.get(i)), answers.get(i));
      }
      children.add(child(child));
    }
    return children;
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
    List<Answer> answers = exchange(requests);
    for (int i = 0; i < answers.size(); i++) {
      if (!(answers.get(i) instanceof Answer.OrderState)) {
        throw unexpected(place(requests.get(i)), answers.get(i));
      }
    }
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

  private static String place(Request request) {
    return switch (request) {
      case Request.Bar bar -> "%s %s".formatted(bar.instrument(), bar.time());
      case Request.Decide decide -> "order %s, step %s".formatted(decide.id(), decide.step());
      case Request.Fill fill -> "order %s, fill %s".formatted(fill.id(), fill.fillId());
      default -> request.toString();
    };
  }

  /// Asks for many things together.
  private List<Answer> exchange(List<Request> requests) {
    var answers = new ArrayList<Answer>();
    for (int from = 0; from < requests.size(); from += FRAMES) {
      List<Request> some = requests.subList(from, Math.min(from + FRAMES, requests.size()));
      answers.addAll(
          ask(
              place(some.getFirst()),
              () -> {
                List<Answer> each = client.exchange(some);
                requirePassed(each);
                return each;
              }));
    }
    return answers;
  }

  /// What passes is asked for again, all of it: what was done stays as it is.
  private static void requirePassed(List<Answer> answers) throws IOException {
    for (Answer answer : answers) {
      if (answer instanceof Answer.Refused(var reason, var message)
          && (reason == Answer.Reason.OVERLOADED || reason == Answer.Reason.UNAVAILABLE)) {
        throw new IOException(message);
      }
    }
  }

  private <T> T ask(String place, Call<T> call) {
    long began = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      String why;
      try {
        return call.send();
      } catch (IOException e) {
        why = reason(e);
      } catch (RefusedException e) {
        if (!e.isPassing()) {
          throw refused(place, e.refusal(), e.status());
        }
        why = String.valueOf(e.getMessage());
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      retries.again(why);
      if (stop.await(pause) || System.nanoTime() - began > manner.patience().toNanos()) {
        throw new DataException(
            url, "a service that answers within " + manner.patience().toSeconds() + " s", why);
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private DataException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new DataException(url, "time for an answer", "interrupted", e);
  }

  private RuntimeException refused(String place, Answer.Refused refusal, int status) {
    return status == 401 || status == 403
        ? new ConfigException("--token-file", "the token of " + url, refusal.message())
        : unexpected(place, refusal);
  }

  private DataException unexpected(String place, Answer answer) {
    String was =
        switch (answer) {
          case Answer.Refused refused -> refused.message();
          case Answer.BarTaken bar -> "%s: it had others".formatted(bar.answer());
          default -> answer.toString();
        };
    return new DataException(
        place,
        "something that %s can do; if it has had that day, --shift-weeks takes others"
            .formatted(url),
        was);
  }
}
