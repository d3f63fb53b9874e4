package io.tranche.serving.journal;

import io.tranche.serving.Request;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The state that outlives days: switches, models, the route, and which days have ended. Changed
/// only under the journal's lock, in its order; read by any thread.
public final class ServiceState {

  /// How many instruments' newest ended days a heading keeps. Beyond that the oldest days are
  /// forgotten, so that memory and headings do not grow for ever.
  static final int MAX_ENDED = 100_000;

  private final Set<Request.Switch> off = ConcurrentHashMap.newKeySet();
  private final Map<String, String> models = new ConcurrentSkipListMap<>();
  private final Map<String, LocalDate> ended = new ConcurrentHashMap<>();
  private volatile Event.@Nullable Routed routed;

  void apply(Event event) {
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
      case Event.Heading heading -> {
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
        List.copyOf(segments), List.copyOf(off), new TreeMap<>(models), routed, Map.copyOf(ended));
  }

  /// Whether trading is switched off for a model and instrument, so that decisions are 0.
  public boolean isOff(String model, String instrument) {
    return !off.isEmpty()
        && (off.contains(new Request.Switch(Request.Scope.ALL, null, true))
            || off.contains(new Request.Switch(Request.Scope.MODEL, model, true))
            || off.contains(new Request.Switch(Request.Scope.INSTRUMENT, instrument, true)));
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
