package io.tranche.serving.journal;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import java.time.LocalDate;
import java.time.LocalDateTime;
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
  /// @param awaitsCancels whether what is out stays reserved until its end is reported; not in
  ///   journals of older versions
  record OrderOpened(
      DayKey day,
      Request.OpenOrder request,
      String model,
      int ticksPerStep,
      int steps,
      boolean isQlib,
      String fingerprint,
      String market,
      boolean awaitsCancels)
      implements OfDay {

    /// Whether a model with this fingerprint may decide; journals of older versions do not say.
    public boolean isOf(String other) {
      return fingerprint.isEmpty() || fingerprint.equals(other);
    }
  }

  /// @param seen what remained of the order when the decision was requested
  /// @param wish the volume before limits; NaN in journals of older versions
  /// @param events how many of the day's events the decision could see; -1 in journals of older
  ///   versions
  /// @param price what the child order's value is counted with; NaN if none was known
  record Decided(DayKey day, Answer.Child child, double seen, double wish, int events, double price)
      implements OfDay {}

  /// @param isLate whether its child order had already been withdrawn
  record Filled(DayKey day, Request.Fill fill, boolean isLate) implements OfDay {}

  /// The market said what became of a child order.
  record Reported(DayKey day, Request.Report report) implements OfDay {}

  /// Amount and end of an order were changed to these.
  record Amended(DayKey day, String id, double amount, LocalDateTime end) implements OfDay {}

  record FillCorrected(DayKey day, Request.CorrectFill correction) implements OfDay {}

  record BarCorrected(DayKey day, long time, BarValues values) implements OfDay {}

  /// The desk gave a price that closes are compared with.
  record Referenced(DayKey day, double price) implements OfDay {}

  record Halted(DayKey day, boolean isHalted) implements OfDay {}

  record Cancelled(DayKey day, String id) implements OfDay {}

  /// What was working of an order was withdrawn, because trading was switched off.
  record Withdrawn(DayKey day, String id) implements OfDay {}

  record DayEnded(DayKey day) implements OfDay {}

  record Switched(Request.Switch change) implements Event {}

  /// A service began to use the journal.
  ///
  /// @param limits those of its configuration
  /// @param clock the time zone of its session clock; empty if bars are the clock
  record Started(List<Request.SetLimits> limits, String clock) implements Event {
    public Started {
      limits = List.copyOf(limits);
    }
  }

  record LimitsSet(Request.SetLimits change) implements Event {}

  /// A fill of an order that is not known.
  record Unmatched(Request.Fill fill) implements Event {}

  /// An account expects heartbeats, or no more.
  record HeartbeatSet(String account, int seconds) implements Event {}

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
  /// @param limits those that operators set
  /// @param unmatched the newest fills of orders that are not known
  /// @param heartbeats seconds by account
  record Heading(
      List<SegmentEnd> segments,
      List<Request.Switch> off,
      SortedMap<String, String> models,
      @Nullable Routed route,
      Map<String, LocalDate> ended,
      List<Request.SetLimits> limits,
      List<Request.Fill> unmatched,
      Map<String, Integer> heartbeats)
      implements Event {
    public Heading {
      segments = List.copyOf(segments);
      off = List.copyOf(off);
      limits = List.copyOf(limits);
      unmatched = List.copyOf(unmatched);
      heartbeats = Map.copyOf(heartbeats);
    }
  }
}
