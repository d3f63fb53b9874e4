package io.tranche.serving;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.OrderRules;
import io.tranche.runtime.OrderWindow;
import io.tranche.serving.Answer.Reason;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Days, bars, orders and fills: judges what is asked for by the ledger, writes it down, and
/// answers once that is durable.
final class Desk {

  private static final int MAX_FIELDS = 200;
  private static final int ID_LOCKS = 64;

  private final ServiceConfig config;
  private final Ledger ledger;
  private final Changes changes;
  private final Decider decider;
  private final Standing standing;
  private final Models models;
  private final Counters counters;
  private final LongSupplier ticker;
  private final Object[] idLocks = new Object[ID_LOCKS];

  Desk(
      ServiceConfig config,
      Ledger ledger,
      Changes changes,
      Decider decider,
      Standing standing,
      Models models,
      Counters counters,
      LongSupplier ticker) {
    this.config = config;
    this.ledger = ledger;
    this.changes = changes;
    this.decider = decider;
    this.standing = standing;
    this.models = models;
    this.counters = counters;
    this.ticker = ticker;
    for (int i = 0; i < ID_LOCKS; i++) {
      idLocks[i] = new Object();
    }
  }

  void handle(Request request, Service.Reply reply) {
    long asked = ticker.getAsLong();
    try {
      Settled settled =
          switch (request) {
            case Request.OpenDay day -> openDay(day);
            case Request.Bar bar -> bar(bar);
            case Request.OpenOrder order -> openOrder(order);
            case Request.Fill fill -> fill(fill);
            case Request.Cancel cancel -> cancel(cancel);
            case Request.Look look -> look(look);
            case Request.ListOrders list -> list(list.after());
            case Request.EndDays days -> endDays(days);
            case Request.Decide decide -> decider.decide(decide, reply, asked);
            case Request.Admin _ ->
                throw new IllegalStateException("admin requests are not for the desk");
          };
      if (settled != null) {
        changes.answer(settled, reply, asked);
      }
    } catch (Refusal e) {
      reply.answered(new Answer.Refused(e.reason(), String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException | DataException e) {
      reply.answered(new Answer.Refused(Reason.INVALID, String.valueOf(e.getMessage())));
    }
  }

  private static void requireName(String kind, String name) {
    if (name.isBlank() || name.length() > OrderRules.LONGEST_ID) {
      throw new IllegalArgumentException(
          "%s must have 1 to %d characters, was %d"
              .formatted(kind, OrderRules.LONGEST_ID, name.length()));
    }
  }

  private Book book(String instrument) {
    requireName("instrument", instrument);
    Book book = ledger.book(instrument);
    if (book == null) {
      throw new Refusal(Reason.OVERLOADED, "too many instruments are known");
    }
    return book;
  }

  /// Returns a day, which begins if it is new.
  private LedgerDay day(Book book, DayKey key) {
    LedgerDay day = book.days().get(key.date());
    return day == null ? openDay(book, new Event.DayOpened(key, List.of())) : day;
  }

  private LedgerDay openDay(Book book, Event.DayOpened opened) {
    DayKey key = opened.day();
    boolean isTooOld =
        book.days().size() >= config.bounds().daysKept()
            && key.date().isBefore(book.days().firstKey());
    if (isTooOld || standing.hasEnded(key)) {
      throw new IllegalArgumentException("day must not have ended, was over: " + key);
    }
    long sequence = changes.commit(book, opened);
    while (book.days().size() > config.bounds().daysKept()) {
      end(book, book.days().firstEntry().getValue());
    }
    LedgerDay day =
        Objects.requireNonNull(book.days().get(key.date()), "a day that began is there");
    day.setSequence(sequence);
    return day;
  }

  private long end(Book book, LedgerDay day) {
    return changes.commit(book, new Event.DayEnded(day.key()));
  }

  private Settled openDay(Request.OpenDay request) {
    changes.requireAble();
    var key = new DayKey(request.instrument(), request.date());
    var event = new Event.DayOpened(key, request.earlier());
    EarlierFrames.of(config, key, request.earlier());
    if (EventCodec.write(event).length > Frame.MAX_PAYLOAD) {
      throw new IllegalArgumentException("earlier days must fit into a record, was more");
    }
    Book book = book(request.instrument());
    synchronized (book) {
      LedgerDay day = book.days().get(request.date());
      if (day == null) {
        day = openDay(book, event);
      } else if (!day.earlier().equals(request.earlier())) {
        throw new Refusal(Reason.CONFLICT, "day %s began with other earlier days".formatted(key));
      }
      return new Settled(new Answer.DayOpen(request.instrument()), day.sequence());
    }
  }

  private Settled bar(Request.Bar request) {
    changes.requireAble();
    Values values = Values.of(request.values());
    requireBar(request, values);
    var key = new DayKey(request.instrument(), request.date());
    long time = BarTime.of(request.time());
    Book book = book(request.instrument());
    synchronized (book) {
      LedgerDay day = day(book, key);
      var fields = day.fields();
      if (fields != null && !fields.equals(request.fields())) {
        throw new IllegalArgumentException(
            "fields must be those of the day's first bar, %s, was %s"
                .formatted(fields, request.fields()));
      }
      BarAnswer answer = day.judge(time, values);
      if (answer == BarAnswer.TAKEN) {
        var event =
            new Event.BarTaken(key, fields == null ? request.fields() : fields, time, values);
        day.setSequence(changes.commit(book, event));
        counters.bars.increment();
      }
      return new Settled(new Answer.BarTaken(answer), day.sequence());
    }
  }

  private void requireBar(Request.Bar request, Values values) {
    if (!request.time().truncatedTo(ChronoUnit.SECONDS).equals(request.time())) {
      throw new IllegalArgumentException("time must be in whole seconds, was " + request.time());
    }
    if (request.fields().size() > MAX_FIELDS
        || new HashSet<>(request.fields()).size() != request.fields().size()) {
      throw new IllegalArgumentException(
          "fields must be at most %d and differ, was %s".formatted(MAX_FIELDS, request.fields()));
    }
    requireFields(request, models.fields(), "a model wants");
    requireFields(request, config.limits().fields(), "a limit is held against");
    for (int i = 0; i < values.size(); i++) {
      requireName("field", request.fields().get(i));
      if (Float.isInfinite(values.at(i))) {
        throw new IllegalArgumentException(
            "%s must be a number, or NaN for none, was %s"
                .formatted(request.fields().get(i), values.at(i)));
      }
    }
  }

  private static void requireFields(Request.Bar bar, Iterable<String> wanted, String why) {
    for (String each : wanted) {
      if (!bar.fields().contains(each)) {
        throw new IllegalArgumentException(
            "fields must have '%s', which %s, was %s".formatted(each, why, bar.fields()));
      }
    }
  }

  private Settled openOrder(Request.OpenOrder request) {
    requireName("id", request.id());
    synchronized (idLocks[Math.floorMod(request.id().hashCode(), ID_LOCKS)]) {
      LedgerOrder known = ledger.order(request.id());
      if (known != null) {
        return repeatOrder(known, request);
      }
      changes.requireAble();
      if (ledger.orderCount() >= config.bounds().maxOrders()) {
        throw new Refusal(Reason.OVERLOADED, "too many orders are held");
      }
      ServedModel served = models.acquire(model(request));
      try {
        return openOrder(request, served);
      } finally {
        models.release(served);
      }
    }
  }

  private String model(Request.OpenOrder request) {
    String asked = request.model();
    if (asked != null) {
      requireName("model", asked);
      return asked;
    }
    Event.Routed routed = standing.routed();
    if (routed == null) {
      throw new Refusal(Reason.UNKNOWN, "model must be given, because there is no route");
    }
    return routed.route().of(request.id());
  }

  private Settled repeatOrder(LedgerOrder known, Request.OpenOrder request) {
    synchronized (known.day().book()) {
      if (!known.request().equals(request)) {
        throw new Refusal(
            Reason.CONFLICT, "order %s is there with other contents".formatted(request.id()));
      }
      counters.repeated.increment();
      return new Settled(known.state(), known.sequence());
    }
  }

  private Settled openOrder(Request.OpenOrder request, ServedModel served) {
    OrderRules.requireSound(request.id(), request.amount());
    var key = new DayKey(request.instrument(), request.date());
    ModelSpec spec = served.model().spec();
    Book book = book(request.instrument());
    synchronized (book) {
      LedgerDay day = day(book, key);
      OrderWindow window = day.window(request, spec.ticksPerStep());
      window.requireSteps(request.id(), spec.maxSteps());
      var event =
          new Event.OrderOpened(
              key, request, served.name(), spec.ticksPerStep(), window.steps(), spec.isQlib());
      long sequence = changes.commit(book, event);
      LedgerOrder order = day.order(request.id());
      order.setSequence(sequence);
      counters.ordersOpened.increment();
      return new Settled(order.state(), sequence);
    }
  }

  private Settled fill(Request.Fill request) {
    requireName("fillId", request.fillId());
    LedgerOrder order = ledger.require(request.id());
    synchronized (order.day().book()) {
      Request.Fill known = order.fill(request.fillId());
      if (known != null && !known.equals(request)) {
        throw new Refusal(
            Reason.CONFLICT,
            "fill %s of order %s is there with other contents"
                .formatted(request.fillId(), request.id()));
      }
      if (known == null) {
        changes.requireAble();
        boolean isLate = order.requireFill(request);
        var event = new Event.Filled(order.day().key(), request, isLate);
        order.setSequence(changes.commit(order.day().book(), event));
        (isLate ? counters.lateFills : counters.fills).increment();
      } else {
        counters.repeated.increment();
      }
      return new Settled(order.state(), order.sequence());
    }
  }

  private Settled cancel(Request.Cancel request) {
    LedgerOrder order = ledger.require(request.id());
    synchronized (order.day().book()) {
      if (!order.isOver()) {
        changes.requireAble();
        order.setSequence(
            changes.commit(
                order.day().book(), new Event.Cancelled(order.day().key(), request.id())));
      } else if (!order.isCancelled()) {
        throw new IllegalArgumentException(
            "order %s must be open to cancel, was %s".formatted(request.id(), order.statusWord()));
      }
      return new Settled(order.state(), order.sequence());
    }
  }

  private Settled list(@Nullable String after) {
    List<LedgerOrder> orders = ledger.ordersAfter(after, Request.ListOrders.MOST + 1);
    var states = new ArrayList<Answer.OrderState>();
    long newest = 0;
    for (LedgerOrder order : orders) {
      synchronized (order.day().book()) {
        states.add(order.state());
        newest = Math.max(newest, order.sequence());
      }
    }
    boolean isWhole = states.size() <= Request.ListOrders.MOST;
    return new Settled(
        new Answer.Orders(isWhole ? states : states.subList(0, Request.ListOrders.MOST), isWhole),
        newest);
  }

  private Settled look(Request.Look request) {
    LedgerOrder order = ledger.require(request.id());
    synchronized (order.day().book()) {
      return new Settled(order.state(), order.sequence());
    }
  }

  private Settled endDays(Request.EndDays request) {
    changes.requireAble();
    int count = 0;
    long sequence = 0;
    String only = request.instrument();
    for (Book book : only == null ? ledger.books() : List.of(book(only))) {
      synchronized (book) {
        while (!book.days().isEmpty() && !book.days().firstKey().isAfter(request.upTo())) {
          sequence = end(book, book.days().firstEntry().getValue());
          count++;
        }
      }
    }
    changes.rollEarly();
    return new Settled(new Answer.Done("%d days ended".formatted(count)), sequence);
  }
}
