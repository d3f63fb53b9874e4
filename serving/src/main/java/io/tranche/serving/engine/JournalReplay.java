package io.tranche.serving.engine;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.runtime.DecisionRuntime;
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
import io.tranche.serving.model.ModelReplica;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Replays a journal with its archive and takes every decision again, bit for bit, with the same
/// models and the same limits.
public final class JournalReplay {

  /// A child order and what led to it.
  ///
  /// @param time when it was decided; null if not known
  /// @param caller who asked for it
  /// @param newestBar the time of the newest bar that was seen; null for none
  /// @param insight what the model saw and wanted; null if the model did not decide, or the journal
  ///   is of an older version
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

  private final Function<String, LoadedModel> models;
  private final Predicate<Event.Decided> isWanted;
  private final Consumer<Explained> reader;
  private final Map<String, DecisionRuntime> runtimes = new HashMap<>();
  private final Map<Event.DayKey, Map<String, ModelReplica>> replicas = new HashMap<>();
  private final ServiceState state = new ServiceState();
  private final List<Event.OfDay> before = new ArrayList<>(); // of the first order
  private @Nullable ServiceConfig config;
  private @Nullable Ledger ledger;
  private Event.Started started = new Event.Started(List.of(), "");
  private Instant now = Instant.EPOCH;

  private JournalReplay(
      Function<String, LoadedModel> models,
      Predicate<Event.Decided> isWanted,
      Consumer<Explained> reader) {
    this.models = models;
    this.isWanted = isWanted;
    this.reader = reader;
  }

  /// Replays a journal.
  ///
  /// @param models returns a model by name
  /// @param isWanted which decisions are taken again
  /// @throws DataException if the journal is damaged, or a model is not the one that decided
  public static JournalHistory.Summary read(
      Path folder,
      Function<String, LoadedModel> models,
      Predicate<Event.Decided> isWanted,
      Consumer<Explained> reader) {
    var replay = new JournalReplay(models, isWanted, reader);
    return JournalHistory.read(folder, entries -> entries.forEach(replay::take));
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
        if (ledger != null) {
          ledger.book().restart();
        }
      }
      case Event.LimitsSet(var change) -> {
        state.apply(entry.event());
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
      runtime(opened);
    }
    Ledger known = ledger;
    if (known == null) {
      before.add(event); // the first order's bundle says what the market is
      return;
    }
    if (event instanceof Event.Decided decided && isWanted.test(decided)) {
      explain(entry, decided, known);
    }
    if (event instanceof Event.DayEnded) {
      Map<String, ModelReplica> gone = replicas.remove(event.day());
      if (gone != null) {
        gone.values().forEach(ModelReplica::close);
      }
      state.apply(event);
    }
    known.replay(event);
  }

  /// Returns the model of an order; the first one says what the market is.
  private DecisionRuntime runtime(Event.OrderOpened opened) {
    DecisionRuntime known = runtimes.get(opened.model());
    if (known == null) {
      known = new DecisionRuntime(models.apply(opened.model()));
      runtimes.put(opened.model(), known);
    }
    if (!opened.isOf(known.model().fingerprint())) {
      throw new DataException(
          "model " + opened.model(),
          "the one that decided for order %s, %s"
              .formatted(opened.request().id(), opened.fingerprint()),
          known.model().fingerprint());
    }
    if (ledger == null) {
      ModelSpec spec = known.model().spec();
      config =
          ServiceConfig.of(Path.of(""), Path.of(""), spec.session(), spec.frequency())
              .withSessions(spec.sessions());
      ledger = new Ledger(config);
      before.forEach(ledger::replay);
      before.clear();
    }
    return known;
  }

  private void explain(JournalHistory.Entry entry, Event.Decided decided, Ledger known) {
    Answer.Child child = decided.child();
    LedgerOrder order = known.order(child.id());
    if (order == null) {
      return; // its day began in files that were deleted
    }
    synchronized (order.day().instrument()) {
      LedgerDay day = order.day();
      Insight insight = null;
      if (child.source() == Answer.Source.MODEL && decided.events() >= 0) {
        insight =
            replicas
                .computeIfAbsent(day.key(), _ -> new HashMap<>())
                .computeIfAbsent(
                    order.model(),
                    name ->
                        ModelReplica.of(
                            Objects.requireNonNull(config), day, name, runtime(order.opened())))
                .explain(child.id(), child.step(), decided.events());
      }
      RiskGate gate = gate(known);
      RiskCheck check =
          child.source() == Answer.Source.KILL_SWITCH || Double.isNaN(decided.wish())
              ? new RiskCheck(child.volume(), child.limited())
              : gate.check(order, decided.wish());
      long newest = day.newestTime();
      reader.accept(
          new Explained(
              entry.sequence(),
              entry.time(),
              entry.caller(),
              order.opened(),
              decided,
              newest < 0 ? null : BarTime.dateTime(newest),
              insight,
              gate.inForce(),
              check,
              difference(decided, insight, check)));
    }
  }

  private RiskGate gate(Ledger known) {
    ZoneId zone = started.clock().isEmpty() ? null : ZoneId.of(started.clock());
    ServiceConfig plain = Objects.requireNonNull(config);
    var clock = new ServiceConfig.ClockRules(zone, 0, 1);
    var days = new DayGate(plain.withClock(clock), known, state, () -> now);
    return new RiskGate(started.limits(), state, known, days, () -> 0, Observer.NONE);
  }

  private static @Nullable String difference(
      Event.Decided decided, @Nullable Insight insight, RiskCheck check) {
    Answer.Child child = decided.child();
    if (insight != null && insight.volume() != decided.wish()) {
      return "the model wanted %s, but %s is recorded".formatted(insight.volume(), decided.wish());
    }
    if (check.volume() != child.volume() || !Objects.equals(check.limited(), child.limited())) {
      return "limits leave %s (%s), but %s (%s) is recorded"
          .formatted(check.volume(), check.limited(), child.volume(), child.limited());
    }
    return null;
  }
}
