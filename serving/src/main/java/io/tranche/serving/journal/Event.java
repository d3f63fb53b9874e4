package io.tranche.serving.journal;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Something that has happened and is to last: what the journal consists of. Whoever has seen all
/// events knows all that the service knows.
public sealed interface Event {

  /// Something that belongs to one day, and is forgotten with it.
  sealed interface OfDay extends Event {
    DayKey day();
  }

  record DayOpened(DayKey day, List<Request.EarlierDay> earlier) implements OfDay {
    public DayOpened {
      earlier = List.copyOf(earlier);
    }
  }

  /// @param time a [io.tranche.market.BarTime] at which the day has a tick
  record BarTaken(DayKey day, List<String> fields, long time, BarValues values) implements OfDay {
    public BarTaken {
      fields = List.copyOf(fields);
    }
  }

  /// @param model which one decides
  /// @param ticksPerStep of the model
  /// @param steps how many decisions it has
  /// @param isQlib as [io.tranche.runtime.ModelSpec#isQlib]
  record OrderOpened(
      DayKey day,
      Request.OpenOrder request,
      String model,
      int ticksPerStep,
      int steps,
      boolean isQlib)
      implements OfDay {}

  /// @param seen what remained when the decision was asked for
  record Decided(DayKey day, Answer.Child child, double seen) implements OfDay {}

  /// @param isLate whether its child order had been withdrawn by then
  record Filled(DayKey day, Request.Fill fill, boolean isLate) implements OfDay {}

  record Cancelled(DayKey day, String id) implements OfDay {}

  record DayEnded(DayKey day) implements OfDay {}

  record Switched(Request.Switch change) implements Event {}

  /// @param fingerprint what the model was told by
  record ModelLoaded(String model, String fingerprint) implements Event {}

  record ModelUnloaded(String model) implements Event {}

  /// @param previous the default model before this route, to roll back to
  /// @param reason why it was changed, if the service did so itself
  record Routed(Route route, @Nullable String previous, @Nullable String reason) implements Event {}

  /// Begins every segment of the journal: what lasts beyond days, and which segments are needed
  /// besides.
  ///
  /// @param segments older ones, by number
  /// @param off what is switched off
  /// @param models fingerprints by name
  /// @param ended the newest day of each instrument that has ended
  record Heading(
      List<Long> segments,
      List<Request.Switch> off,
      SortedMap<String, String> models,
      @Nullable Routed route,
      Map<String, LocalDate> ended)
      implements Event {
    public Heading {
      segments = List.copyOf(segments);
      off = List.copyOf(off);
    }
  }
}
