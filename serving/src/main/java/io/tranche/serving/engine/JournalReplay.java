package io.tranche.serving.engine;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.serving.Answer;
import io.tranche.serving.Insight;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.JournalHistory;
import io.tranche.serving.journal.ServiceState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.risk.RiskCheck;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Replays a journal with its archive and takes every decision again, bit for bit, with the same
/// models and the same limits.
public final class JournalReplay {

  /// A child order and what led to it.
  ///
  /// @param time when it was decided; null if not known
  /// @param caller who asked for it
  /// @param newestBar the time of the newest bar that was seen; null for none
  /// @param insight what the model saw and wanted; null if nobody asked for it, the model did not
  ///   decide, or the journal is of an older version
  /// @param limits those in force
  /// @param check what the limits leave of the recorded wish
  /// @param difference how the replay differs from what is recorded; null if it does not
  public record Explained(
      long sequence,
      @Nullable Instant time,
      String caller,
      Event.OrderOpened order,
      Event.Decided decided,
      @Nullable LocalDateTime newestBar,
      @Nullable Insight insight,
      List<Request.SetLimits> limits,
      RiskCheck check,
      @Nullable String difference) {}

  /// How many events are read before models work on their decisions.
  private static final int AT_A_TIME = 1 << 14;

  /// A decision on its way to the reader.
  private record Waiting(
      JournalHistory.Entry entry,
      Event.OrderOpened order,
      Event.Decided decided,
      long newest,
      ReplayLane.@Nullable Answered answered,
      List<Request.SetLimits> limits,
      RiskCheck check) {

    Explained explained() {
      return new Explained(
          entry.sequence(),
          entry.time(),
          entry.caller(),
          order,
          decided,
          newest < 0 ? null : BarTime.dateTime(newest),
          answered == null ? null : answered.insight(),
          limits,
          check,
          difference(decided, answered, check));
    }
  }

  private final Function<String, LoadedModel> source;
  private final Predicate<Event.Decided> isWanted;
  private final boolean isDetailed;
  private final Consumer<Explained> reader;
  private final Map<String, LoadedModel> models = new HashMap<>();
  private final ServiceState state = new ServiceState();
  private final List<Event.OfDay> before = new ArrayList<>(); // of the first order
  private @Nullable ServiceConfig config;
  private @Nullable Ledger ledger;
  private Event.Started started = new Event.Started(List.of(), "");
  private Instant now = Instant.EPOCH;
  private @Nullable RiskGate gate;
  private @Nullable List<Request.SetLimits> limits;

  /// How many lanes there are for each processor: threads that are done early take over some.
  private static final int LANES_EACH = 4;

  // Models work on decisions that were read while the next ones are read.
  private final int processors = Runtime.getRuntime().availableProcessors();
  private final List<ReplayLane> lanes =
      Stream.generate(ReplayLane::new).limit((long) LANES_EACH * processors).toList();
  private final ExecutorService threads = Executors.newFixedThreadPool(processors);
  private List<Waiting> waiting = new ArrayList<>();
  private List<Waiting> underWay = List.of();
  private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

  private JournalReplay(
      Function<String, LoadedModel> source,
      Predicate<Event.Decided> isWanted,
      boolean isDetailed,
      Consumer<Explained> reader) {
    this.source = source;
    this.isWanted = isWanted;
    this.isDetailed = isDetailed;
    this.reader = reader;
  }

  /// Replays a journal and takes all decisions again, without insights.
  ///
  /// @param models returns a model by name
  /// @param reader gets them in order, on the caller's thread
  /// @throws DataException if the journal is damaged, or a model is not the one that decided
  public static JournalHistory.Summary compare(
      Path folder, Function<String, LoadedModel> models, Consumer<Explained> reader) {
    return read(folder, new JournalReplay(models, _ -> true, false, reader));
  }

  /// Replays a journal.
  ///
  /// @param models returns a model by name
  /// @param isWanted which decisions are taken again
  /// @param reader gets them in order, on the caller's thread
  /// @throws DataException if the journal is damaged, or a model is not the one that decided
  public static JournalHistory.Summary read(
      Path folder,
      Function<String, LoadedModel> models,
      Predicate<Event.Decided> isWanted,
      Consumer<Explained> reader) {
    return read(folder, new JournalReplay(models, isWanted, true, reader));
  }

  private static JournalHistory.Summary read(Path folder, JournalReplay replay) {
    try {
      JournalHistory.Summary summary = JournalHistory.read(folder, replay::take);
      replay.deliver();
      replay.deliver();
      return summary;
    } finally {
      replay.threads.close();
    }
  }

  /// Takes the events of a file, some at a time, so that little is in memory.
  private void take(List<JournalHistory.Entry> entries) {
    int count = 0;
    for (JournalHistory.Entry each : entries) {
      take(each);
      if (++count % AT_A_TIME == 0) {
        deliver();
      }
    }
  }

  /// Hands what models have decided to the reader, and gives them what has gathered since.
  private void deliver() {
    try {
      work.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
    List<Waiting> done = underWay;
    underWay = waiting;
    waiting = new ArrayList<>();
    work =
        CompletableFuture.allOf(
            lanes.stream()
                .map(each -> CompletableFuture.runAsync(each.next(), threads))
                .toArray(CompletableFuture<?>[]::new));
    done.forEach(each -> reader.accept(each.explained())); // the models already work again
  }

  private ReplayLane lane(Event.DayKey day) {
    return lanes.get(Math.floorMod(day.instrument().hashCode(), lanes.size()));
  }

  private void take(JournalHistory.Entry entry) {
    Instant time = entry.time();
    now = time == null ? now : time;
    switch (entry.event()) {
      case Event.Heading heading -> {
        if (ledger == null) {
          state.apply(heading); // the journal begins here; later headings say what is known
        }
      }
      case Event.Started event -> {
        started = event;
        gate = null;
        limits = null;
        if (ledger != null) {
          ledger.book().restart();
        }
      }
      case Event.LimitsSet(var change) -> {
        state.apply(entry.event());
        limits = null;
        String name = change.name();
        if (ledger != null) {
          boolean isAny = Request.SetLimits.ANY.equals(name);
          ledger.book().release(change.scope(), isAny ? null : name == null ? "" : name);
        }
      }
      case Event.OfDay event -> take(entry, event);
      default -> state.apply(entry.event());
    }
  }

  private void take(JournalHistory.Entry entry, Event.OfDay event) {
    if (event instanceof Event.OrderOpened opened) {
      requireModel(opened);
    }
    Ledger known = ledger;
    if (known == null) {
      before.add(event); // the first order's bundle says what the market is
      return;
    }
    if (event instanceof Event.Decided decided && isWanted.test(decided)) {
      explain(entry, decided, known);
    }
    LedgerDay day = known.replay(event);
    if (event instanceof Event.DayEnded) {
      if (day != null) {
        lane(event.day()).end(day);
      }
      state.apply(event);
    }
  }

  /// Loads the model of an order; the first one says what the market is.
  private void requireModel(Event.OrderOpened opened) {
    LoadedModel model = models.computeIfAbsent(opened.model(), source);
    if (!opened.isOf(model.fingerprint())) {
      throw new DataException(
          "model " + opened.model(),
          "the one that decided for order %s, %s"
              .formatted(opened.request().id(), opened.fingerprint()),
          model.fingerprint());
    }
    if (ledger == null) {
      ModelSpec spec = model.spec();
      config =
          ServiceConfig.of(Path.of(""), Path.of(""), spec.session(), spec.frequency())
              .withSessions(spec.sessions());
      ledger = new Ledger(config);
      before.forEach(ledger::replay);
      before.clear();
    }
  }

  private void explain(JournalHistory.Entry entry, Event.Decided decided, Ledger known) {
    Answer.Child child = decided.child();
    LedgerOrder order = known.order(child.id());
    if (order == null) {
      return; // its day began in files that were deleted
    }
    LedgerDay day = order.day();
    RiskGate current = gate(known);
    if (limits == null) {
      limits = current.inForce();
    }
    synchronized (day.instrument()) {
      ReplayLane.Answered answered =
          child.source() == Answer.Source.MODEL && decided.events() >= 0
              ? lane(day.key())
                  .explain(
                      Objects.requireNonNull(config),
                      day,
                      order.model(),
                      Objects.requireNonNull(models.get(order.model())),
                      decided,
                      isDetailed)
              : null;
      RiskCheck check =
          child.source() == Answer.Source.KILL_SWITCH || Double.isNaN(decided.wish())
              ? new RiskCheck(child.volume(), child.limited())
              : current.check(order, decided.wish());
      waiting.add(
          new Waiting(entry, order.opened(), decided, day.newestTime(), answered, limits, check));
    }
  }

  private RiskGate gate(Ledger known) {
    RiskGate current = gate;
    if (current == null) {
      ZoneId zone = started.clock().isEmpty() ? null : ZoneId.of(started.clock());
      ServiceConfig plain = Objects.requireNonNull(config);
      var clock = new ServiceConfig.ClockRules(zone, 0, 1);
      var days = new DayGate(plain.withClock(clock), known, state, () -> now);
      current = new RiskGate(started.limits(), state, known, days, () -> 0, Observer.NONE);
      gate = current;
    }
    return current;
  }

  private static @Nullable String difference(
      Event.Decided decided, ReplayLane.@Nullable Answered answered, RiskCheck check) {
    Answer.Child child = decided.child();
    if (answered != null && answered.volume() != decided.wish()) { // NaN too
      return "the model wanted %s, but %s is recorded".formatted(answered.volume(), decided.wish());
    }
    if (check.volume() != child.volume() || !Objects.equals(check.limited(), child.limited())) {
      return "limits leave %s (%s), but %s (%s) is recorded"
          .formatted(check.volume(), check.limited(), child.volume(), child.limited());
    }
    return null;
  }
}
