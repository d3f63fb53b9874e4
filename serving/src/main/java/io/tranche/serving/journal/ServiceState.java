package io.tranche.serving.journal;

import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The state that outlives days: switches, models, the route, and which days have ended. Changed
/// only under the journal's lock, in its order; read by any thread.
public final class ServiceState {

  /// How many instruments' newest ended days a heading keeps. Beyond that the oldest days are
  /// forgotten, so that memory and headings do not grow for ever.
  static final int MAX_ENDED = 100_000;

  /// How many fills of unknown orders are kept; the archive has all of them.
  static final int MAX_UNMATCHED = 1_000;

  private final Set<Request.Switch> off = ConcurrentHashMap.newKeySet();
  private final Map<String, String> models = new ConcurrentSkipListMap<>();
  private final Map<String, LocalDate> ended = new ConcurrentHashMap<>();
  private final Map<LimitKey, RiskLimits> limits = new ConcurrentHashMap<>();
  private volatile Set<String> limitFields = Set.of();
  private final Map<String, Integer> heartbeats = new ConcurrentHashMap<>();
  private volatile Event.@Nullable Routed routed;

  /// Guarded by its own lock; by order and fill id.
  private final Map<List<String>, Request.Fill> unmatched = new LinkedHashMap<>();

  private record LimitKey(Request.Scope scope, String name) {
    static LimitKey of(Request.SetLimits change) {
      return new LimitKey(change.scope(), change.name() == null ? "" : change.name());
    }
  }

  /// Applies an event.
  public void apply(Event event) {
    switch (event) {
      case Event.Switched(var change) -> {
        var key = new Request.Switch(change.scope(), change.name(), true);
        if (change.isOff()) {
          off.add(key);
        } else {
          off.remove(key);
        }
      }
      case Event.ModelLoaded(var model, var fingerprint) -> models.put(model, fingerprint);
      case Event.ModelUnloaded(var model) -> models.remove(model);
      case Event.Routed change -> routed = change;
      case Event.DayEnded(var day) ->
          ended.merge(day.instrument(), day.date(), (a, b) -> a.isAfter(b) ? a : b);
      case Event.Started _ -> {}
      case Event.LimitsSet(var change) -> put(change);
      case Event.Unmatched(var fill) -> keep(fill);
      case Event.HeartbeatSet(var account, int seconds) -> {
        if (seconds == 0) {
          heartbeats.remove(account);
        } else {
          heartbeats.put(account, seconds);
        }
      }
      case Event.Heading heading -> {
        limits.clear();
        limitFields = Set.of();
        heading.limits().forEach(this::put);
        heading.unmatched().forEach(this::keep);
        heartbeats.clear();
        heartbeats.putAll(heading.heartbeats());
        off.clear();
        off.addAll(heading.off());
        models.clear();
        models.putAll(heading.models());
        routed = heading.route();
        ended.clear();
        ended.putAll(heading.ended());
      }
      case Event.OfDay _ -> {}
    }
  }

  private void put(Request.SetLimits change) {
    if (change.limits().values().isEmpty()) {
      limits.remove(LimitKey.of(change));
    } else {
      limits.put(LimitKey.of(change), change.limits());
    }
    limitFields =
        limits.values().stream()
            .flatMap(each -> each.fields().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  private void keep(Request.Fill fill) {
    synchronized (unmatched) {
      unmatched.put(List.of(fill.id(), fill.fillId()), fill);
      if (unmatched.size() > MAX_UNMATCHED) {
        unmatched.remove(unmatched.keySet().iterator().next());
      }
    }
  }

  /// Returns the newest fills of orders that are not known, oldest first.
  public List<Request.Fill> unmatched() {
    synchronized (unmatched) {
      return List.copyOf(unmatched.values());
    }
  }

  public Request.@Nullable Fill unmatched(String id, String fillId) {
    synchronized (unmatched) {
      return unmatched.get(List.of(id, fillId));
    }
  }

  /// Returns the limits that an operator set for a scope, or null.
  ///
  /// @param name empty for everything
  public @Nullable RiskLimits limits(Request.Scope scope, String name) {
    return limits.isEmpty() ? null : limits.get(new LimitKey(scope, name));
  }

  /// Returns the fields that bars must have for the limits that operators set.
  public Set<String> limitFields() {
    return limitFields;
  }

  /// Returns all limits that operators set.
  public List<Request.SetLimits> limits() {
    return limits.entrySet().stream()
        .map(
            each ->
                new Request.SetLimits(
                    each.getKey().scope(),
                    each.getKey().scope() == Request.Scope.ALL ? null : each.getKey().name(),
                    each.getValue()))
        .toList();
  }

  /// Returns how many seconds may pass between heartbeats, by account.
  public Map<String, Integer> heartbeats() {
    return Map.copyOf(heartbeats);
  }

  /// Forgets the oldest ended days except `most`.
  void forgetEnded(int most) {
    if (ended.size() > most) {
      ended.entrySet().stream()
          .sorted(Map.Entry.<String, LocalDate>comparingByValue().thenComparing(Map.Entry::getKey))
          .limit(ended.size() - most)
          .map(Map.Entry::getKey)
          .toList()
          .forEach(ended::remove);
    }
  }

  Event.Heading heading(Collection<Event.SegmentEnd> segments) {
    forgetEnded(MAX_ENDED);
    return new Event.Heading(
        List.copyOf(segments),
        List.copyOf(off),
        new TreeMap<>(models),
        routed,
        Map.copyOf(ended),
        limits(),
        unmatched(),
        heartbeats());
  }

  /// Whether trading is switched off for a model, instrument and account, so that decisions are 0.
  public boolean isOff(String model, String instrument, @Nullable String account) {
    return !off.isEmpty()
        && (off.contains(new Request.Switch(Request.Scope.ALL, null, true))
            || off.contains(new Request.Switch(Request.Scope.MODEL, model, true))
            || off.contains(new Request.Switch(Request.Scope.INSTRUMENT, instrument, true))
            || (account != null
                && off.contains(new Request.Switch(Request.Scope.ACCOUNT, account, true))));
  }

  public Set<Request.Switch> off() {
    return Set.copyOf(off);
  }

  /// Returns the fingerprints of models by name.
  public Map<String, String> models() {
    return new TreeMap<>(models);
  }

  public Event.@Nullable Routed routed() {
    return routed;
  }

  /// Whether a day, or a later day of its instrument, has ended.
  public boolean hasEnded(Event.DayKey day) {
    LocalDate last = ended.get(day.instrument());
    return last != null && !day.date().isAfter(last);
  }
}
