package io.tranche.serving.model;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.serving.Answer;
import io.tranche.serving.Counters;
import io.tranche.serving.Insight;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.BarValues;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.EarlierFrames;
import io.tranche.serving.ledger.LedgerDay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One model's view of one day, built from the day's events. Used only by the thread of its
/// [ModelWorker].
public final class ModelReplica {

  /// What a model would trade.
  ///
  /// @param offsetBps null for a market order
  public record Advice(double volume, @Nullable Double offsetBps) {}

  private final ServiceConfig config;
  final LedgerDay day;
  final LoadedModels.ServedModel served;
  private final DecisionRuntime runtime;
  final boolean isShadow;
  private final Counters counters;
  private @Nullable LiveDay live;
  private final Corrections corrections = new Corrections();
  private int cursor;
  private int orders;
  private boolean isLost;
  private final List<String> wanted; // fields of the model
  private final float[] bar;

  /// Where the wanted fields are among those of the newest bar, whose list this is; -1 for none.
  private int[] places = new int[0];

  private @Nullable List<String> placed;

  /// @param isShadow whether it follows the orders of all models instead of its own
  ModelReplica(
      ServiceConfig config,
      LedgerDay day,
      LoadedModels.ServedModel served,
      DecisionRuntime runtime,
      boolean isShadow,
      Counters counters) {
    this.config = config;
    this.day = day;
    this.served = served;
    this.runtime = runtime;
    this.isShadow = isShadow;
    this.counters = counters;
    this.wanted = served.model().spec().features().fields();
    this.bar = new float[wanted.size()];
  }

  /// Makes views of days for evidence, with one model. Used by one thread.
  public static final class Evidence {
    private final ServiceConfig config;
    private final LoadedModels.ServedModel served;
    private final DecisionRuntime runtime;
    private final Counters counters = new Counters();

    public Evidence(ServiceConfig config, String name, LoadedModel model) {
      this.config = config;
      this.runtime = new DecisionRuntime(model);
      this.served =
          new LoadedModels.ServedModel(
              name,
              model,
              new ModelHealth(ServiceConfig.Rollback.DEFAULT),
              new DriftMonitor(ServiceConfig.DriftRules.DEFAULT, model, _ -> {}),
              new AtomicInteger());
    }

    public ModelReplica of(LedgerDay day) {
      return new ModelReplica(config, day, served, runtime, true, counters);
    }
  }

  /// Takes a decision again, given the first `events` events.
  ///
  /// @return the volume that the model wanted; NaN if it does not follow the order
  public double retake(String orderId, int step, int events) {
    if (cursor > events) {
      rebuild(events);
    }
    Advice advice = advise(orderId, step, events);
    return advice == null ? Double.NaN : advice.volume();
  }

  /// As [#retake], with what the model saw; null if it does not follow the order.
  public @Nullable Insight explain(String orderId, int step, int events) {
    double volume = retake(orderId, step, events);
    if (Double.isNaN(volume)) {
      return null;
    }
    LiveDay open = open();
    var features = new LinkedHashMap<String, Float>();
    List<String> columns = served.model().spec().features().columns().today();
    for (int i = 0; i < columns.size() && open.ticks() > 0; i++) {
      features.put(columns.get(i), open.feature(open.ticks() - 1, i));
    }
    var scores = new ArrayList<List<Float>>();
    for (float[] each : runtime.scores()) {
      var row = new ArrayList<Float>();
      for (float score : each) {
        row.add(score);
      }
      scores.add(row);
    }
    double unguarded = Objects.requireNonNull(runtime.order(orderId)).unguarded();
    return new Insight(open.ticks(), features, scores, unguarded, volume);
  }

  /// Whether the day began without some of the earlier days that the model declares.
  boolean lacksDays() {
    return day.opened().earlier().size() < served.model().spec().features().earlierDays();
  }

  /// Whether the model failed, so that it does not decide on this day any more.
  boolean isLost() {
    return isLost;
  }

  void lose() {
    isLost = true;
    close();
  }

  /// Applies the day's events before number `end`.
  ///
  /// @throws RuntimeException if the model fails
  void follow(int end) {
    List<Event.OfDay> news;
    synchronized (day.instrument()) {
      news = cursor < end ? day.events(cursor, end) : List.of();
    }
    for (Event.OfDay event : news) {
      cursor++;
      if (Corrections.isOne(event)) {
        rebuild(cursor);
      } else {
        take(event);
      }
    }
  }

  private void take(Event.OfDay event) {
    switch (event) {
      case Event.DayOpened(var key, var earlier, _) -> {
        live =
            runtime.openDay(
                key.instrument(), key.date(), day.times(), EarlierFrames.of(config, key, earlier));
        counters.streamsOpened.increment();
      }
      case Event.BarTaken taken -> {
        fill(taken, corrections.values(taken));
        LiveDay open = open();
        int passed = open.ticks();
        open.bar(taken.time(), bar);
        if (!isShadow) {
          served.drift().saw(open::feature, passed, open.ticks());
        }
      }
      case Event.OrderOpened opened -> {
        String replaces = opened.request().replaces();
        if (replaces != null) {
          cancel(replaces);
        }
        if (follows(opened)) {
          open(corrections.order(opened.request()));
        }
      }
      case Event.Decided decided -> {
        LiveOrder order = runtime.order(decided.child().id());
        if (order != null && !order.status().isFinal()) {
          settle(order, decided.child(), decided.seen() + corrections.added(order.id(), cursor));
        }
      }
      case Event.Filled(_, var reported, _) -> {
        Request.Fill fill = corrections.fill(reported);
        LiveOrder order = runtime.order(fill.id());
        if (order != null && fill.volume() > 0) {
          // The ledger decides what may fill; for the model, what came counts.
          order.fillLate(fill.volume(), fill.price());
        }
      }
      case Event.Cancelled(_, var id) -> cancel(id);
      case Event.Withdrawn _,
          Event.Reported _,
          Event.Referenced _,
          Event.Halted _,
          Event.Amended _,
          Event.FillCorrected _,
          Event.BarCorrected _ -> {} // corrections change how the others are read
      case Event.DayEnded _ -> close();
    }
  }

  private void open(Request.OpenOrder order) {
    open().openOrder(order.id(), order.side(), order.amount(), order.start(), order.end());
    if (orders++ > 0) {
      counters.streamsShared.increment();
    }
  }

  private LiveDay open() {
    LiveDay open = live;
    if (open == null) {
      throw new IllegalStateException("day must be open, was not: " + day.key());
    }
    return open;
  }

  /// Puts the values into the model's order of fields; missing fields are NaN.
  private void fill(Event.BarTaken taken, BarValues values) {
    List<String> fields = taken.fields();
    if (!fields.equals(placed)) {
      places = wanted.stream().mapToInt(fields::indexOf).toArray();
      placed = fields;
    }
    for (int i = 0; i < bar.length; i++) {
      bar[i] = places[i] < 0 ? Float.NaN : values.at(places[i]);
    }
  }

  private void cancel(String id) {
    LiveOrder order = runtime.order(id);
    if (order != null && !order.status().isFinal()) {
      order.cancel();
    }
  }

  private boolean follows(Event.OrderOpened opened) {
    if (!isShadow) {
      return opened.model().equals(served.name()) && opened.isOf(served.model().fingerprint());
    }
    // A shadow can decide only for orders that have the same steps as its own.
    ModelSpec spec = served.model().spec();
    return opened.ticksPerStep() == spec.ticksPerStep() && opened.steps() <= spec.maxSteps();
  }

  private void settle(LiveOrder order, Answer.Child child, double seen) {
    if (order.isAdvised() && (order.step() != child.step() || order.seen() != seen)) {
      rebuild(cursor); // it was advised for a decision that was never taken
      return;
    }
    order.decideAs(child.step(), seen, child.volume());
  }

  /// Replays the day, as if nothing had been advised and what was corrected had been right.
  private void rebuild(int end) {
    close();
    List<Event.OfDay> all;
    synchronized (day.instrument()) {
      all = day.events(0, end);
    }
    corrections.read(all);
    for (cursor = 0; cursor < end; ) {
      Event.OfDay event = all.get(cursor++);
      take(event);
    }
  }

  /// Returns what the model would do at a step, given the first `events` events.
  ///
  /// @return null if it does not follow the order
  /// @throws RuntimeException if the model fails
  public @Nullable Advice advise(String orderId, int step, int events) {
    follow(events);
    LiveOrder order = runtime.order(orderId);
    if (order != null && order.isAdvised()) {
      rebuild(events);
      order = runtime.order(orderId);
    }
    if (order == null) {
      return null;
    }
    double volume = order.advise();
    if (order.step() != step) {
      throw new IllegalStateException(
          "decision must be %d, was %d: %s".formatted(step, order.step(), order));
    }
    if (!isShadow) {
      served.drift().chose(order.actionKind());
    }
    return new Advice(volume, order.kind() instanceof Kind.Limit(double bps) ? bps : null);
  }

  public void close() {
    if (live != null) {
      live.close();
      live = null;
    }
  }
}
