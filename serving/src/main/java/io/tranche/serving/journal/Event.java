package io.tranche.serving.journal;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// A change of the service. The journal consists of events, and all state can be rebuilt from them.
public sealed interface Event {

  /// An instrument on a trading day.
  record DayKey(String instrument, LocalDate date) {

    @Override
    public String toString() {
      return instrument + " " + date;
    }
  }

  /// An event of one day, forgotten with it.
  sealed interface OfDay extends Event {
    DayKey day();
  }

  record DayOpened(DayKey day, List<Request.EarlierDay> earlier, Request.Hours hours)
      implements OfDay {
    public DayOpened {
      earlier = List.copyOf(earlier);
    }

    /// Whether this day and the earlier ones have their usual hours.
    boolean isUsual() {
      return hours.equals(Request.Hours.USUAL)
          && earlier.stream().allMatch(each -> each.hours().equals(Request.Hours.USUAL));
    }
  }

  /// @param time the [io.tranche.market.BarTime] of one of the day's ticks
  record BarTaken(DayKey day, List<String> fields, long time, BarValues values) implements OfDay {
    public BarTaken {
      fields = List.copyOf(fields);
    }
  }

  /// @param model the model that decides
  /// @param ticksPerStep the model's number of ticks per decision
  /// @param steps the number of decisions of the order
  /// @param isQlib as [io.tranche.runtime.ModelSpec#isQlib]
  /// @param fingerprint of the model's contents; empty in journals of older versions
  /// @param market bar width and hours, as [io.tranche.serving.ServiceConfig#market]; empty in
  ///   journals of older versions
  record OrderOpened(
      DayKey day,
      Request.OpenOrder request,
      String model,
      int ticksPerStep,
      int steps,
      boolean isQlib,
      String fingerprint,
      String market)
      implements OfDay {

    /// Whether a model with this fingerprint may decide; journals of older versions do not say.
    public boolean isOf(String other) {
      return fingerprint.isEmpty() || fingerprint.equals(other);
    }
  }

  /// @param seen what remained of the order when the decision was requested
  record Decided(DayKey day, Answer.Child child, double seen) implements OfDay {}

  /// @param isLate whether its child order had already been withdrawn
  record Filled(DayKey day, Request.Fill fill, boolean isLate) implements OfDay {}

  record Cancelled(DayKey day, String id) implements OfDay {}

  /// What was working of an order was withdrawn, because trading was switched off.
  record Withdrawn(DayKey day, String id) implements OfDay {}

  record DayEnded(DayKey day) implements OfDay {}

  record Switched(Request.Switch change) implements Event {}

  /// @param fingerprint identifies the contents of the model
  record ModelLoaded(String model, String fingerprint) implements Event {}

  record ModelUnloaded(String model) implements Event {}

  /// @param previous the default model before this route, to roll back to
  /// @param reason why the service changed it; null if an operator did
  record Routed(Route route, @Nullable String previous, @Nullable String reason) implements Event {}

  /// Where a complete segment ends.
  ///
  /// @param last the number of its last record
  /// @param length its size in bytes; 0 if not known, because version 1 did not write it
  record SegmentEnd(long number, long last, long length) {

    boolean isKnown() {
      return length > 0;
    }
  }

  /// Begins every segment of the journal: the state that outlives days, and the older segments that
  /// are still needed.
  ///
  /// @param segments the older segments
  /// @param off what is switched off
  /// @param models fingerprints by name
  /// @param ended the newest ended day of each instrument
  record Heading(
      List<SegmentEnd> segments,
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
