package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.TestModels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A service with one model, and shorthand for its requests.
public final class TestService implements AutoCloseable {

  public static final LocalDate DATE = LocalDate.of(2026, 3, 3);
  public static final String MODEL = "demo@1";
  public static final long PATIENT = 30_000_000;

  /// The default, but with patience for busy disks.
  private static final ServiceConfig.Bounds BOUNDS =
      ServiceConfig.Bounds.DEFAULT.withStallMicros(60_000_000);

  public final Engine engine;
  public final List<Observer.Notice> notices;

  private TestService(Engine engine, List<Observer.Notice> notices) {
    this.engine = engine;
    this.notices = notices;
  }

  public static ServiceConfig config(Path folder) {
    return ServiceConfig.of(
            folder.resolve("models"),
            folder.resolve("journal"),
            Session.CHINA_STOCKS,
            Frequency.MINUTE)
        .withBounds(BOUNDS)
        .withCancelsAwaited(false) // OrderStateTest awaits them
        .withEarlierDaysNeeded(false)
        .withClock(new ServiceConfig.ClockRules(null, 15, 240)); // tests skip hours
  }

  public static TestService open(Path folder) {
    return open(folder, UnaryOperator.identity(), EngineParts.REAL);
  }

  /// Opens a service; a new one gets its model and route.
  static TestService open(Path folder, UnaryOperator<ServiceConfig> change, EngineParts parts) {
    try {
      Files.createDirectories(folder.resolve("models"));
      if (!Files.exists(folder.resolve("models/" + MODEL + ".tranche"))) {
        TestModels.write(folder.resolve("models"), MODEL, 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var notices = new CopyOnWriteArrayList<Observer.Notice>();
    var service =
        new TestService(Engine.open(change.apply(config(folder)), notices::add, parts), notices);
    if (service.engine.route() == null) {
      service.done(new Request.Load(MODEL));
      service.done(new Request.SetRoute(Route.to(MODEL)));
    }
    return service;
  }

  public Answer ask(Request request) {
    try {
      return engine.ask(request).get(120, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no answer to " + request, e);
    }
  }

  public void done(Request request) {
    assertThat(ask(request)).isInstanceOf(Answer.Done.class);
  }

  public static LocalDateTime time(int tick) {
    return tick < 120
        ? DATE.atTime(9, 30).plusMinutes(tick)
        : DATE.atTime(13, 0).plusMinutes(tick - 120);
  }

  public static Request.Bar bar(String instrument, int tick) {
    var random = new SplittableRandom(instrument.hashCode() * 1_000L + tick);
    return new Request.Bar(
        instrument,
        DATE,
        time(tick),
        TestModels.FIELDS,
        List.of(10 + (float) random.nextGaussian() / 10, 1_000 * random.nextFloat()));
  }

  /// Returns the same on another day.
  public static Request.Bar on(LocalDate date, Request.Bar bar) {
    return new Request.Bar(
        bar.instrument(), date, date.atTime(bar.time().toLocalTime()), bar.fields(), bar.values());
  }

  /// Returns the same on another day.
  public static Request.OpenOrder on(LocalDate date, Request.OpenOrder order) {
    return new Request.OpenOrder(
        order.id(),
        order.instrument(),
        date,
        order.side(),
        order.amount(),
        date.atTime(order.start().toLocalTime()),
        date.atTime(order.end().toLocalTime()),
        order.model(),
        order.account());
  }

  /// Sends bars `from` to `to` - 1.
  public void bars(String instrument, int from, int to) {
    for (int tick = from; tick < to; tick++) {
      assertThat(ask(bar(instrument, tick))).isInstanceOf(Answer.BarTaken.class);
    }
  }

  public static Request.OpenOrder order(String id, String instrument, double amount) {
    return order(id, instrument, amount, null);
  }

  public static Request.OpenOrder order(
      String id, String instrument, double amount, @Nullable String model) {
    return new Request.OpenOrder(
        id, instrument, DATE, Side.SELL, amount, time(0), DATE.atTime(14, 59), model);
  }

  public Answer.OrderState state(Request request) {
    return (Answer.OrderState) ask(request);
  }

  public Answer.OrderState look(String id) {
    return state(new Request.Look(id));
  }

  /// Requests the decision that is due, with a generous deadline.
  public Answer.Child decide(String id) {
    return (Answer.Child) ask(new Request.Decide(id, null, PATIENT));
  }

  public Answer.Refused refused(Request request) {
    return (Answer.Refused) ask(request);
  }

  @Override
  public void close() {
    engine.close();
  }
}
