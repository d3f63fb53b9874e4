package io.tranche.serving.journal;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An event as one row of plain values; what it does not have is null or NaN.
///
/// @param event what happened, in lower case, such as `order_opened`
/// @param time null if the journal does not say
/// @param detail all of it, for human readers
public record EventRow(
    long sequence,
    @Nullable Instant time,
    String caller,
    String event,
    @Nullable String instrument,
    @Nullable LocalDate date,
    @Nullable String order,
    @Nullable String model,
    double step,
    double volume,
    double price,
    String detail) {

  private static final Pattern WORD = Pattern.compile("(?<=[a-z])(?=[A-Z])");

  public static EventRow of(JournalHistory.Entry entry) {
    Event event = entry.event();
    Event.DayKey day = event instanceof Event.OfDay ofDay ? ofDay.day() : null;
    return new EventRow(
        entry.sequence(),
        entry.time(),
        entry.caller(),
        WORD.matcher(event.getClass().getSimpleName()).replaceAll("_").toLowerCase(Locale.ROOT),
        day == null ? null : day.instrument(),
        day == null ? null : day.date(),
        order(event),
        model(event),
        step(event),
        volume(event),
        price(event),
        event.toString());
  }

  private static @Nullable String order(Event event) {
    return switch (event) {
      case Event.OrderOpened opened -> opened.request().id();
      case Event.Decided decided -> decided.child().id();
      case Event.Filled filled -> filled.fill().id();
      case Event.Cancelled cancelled -> cancelled.id();
      case Event.Withdrawn withdrawn -> withdrawn.id();
      case Event.Reported reported -> reported.report().id();
      case Event.Amended amended -> amended.id();
      case Event.FillCorrected corrected -> corrected.correction().id();
      case Event.Unmatched unmatched -> unmatched.fill().id();
      default -> null;
    };
  }

  private static @Nullable String model(Event event) {
    return switch (event) {
      case Event.OrderOpened opened -> opened.model();
      case Event.ModelLoaded loaded -> loaded.model();
      case Event.ModelUnloaded unloaded -> unloaded.model();
      case Event.Routed routed -> routed.route().model();
      default -> null;
    };
  }

  private static double step(Event event) {
    return switch (event) {
      case Event.Decided decided -> decided.child().step();
      case Event.Filled filled -> {
        Integer step = filled.fill().step();
        yield step == null ? Double.NaN : step;
      }
      case Event.Reported reported -> reported.report().step();
      default -> Double.NaN;
    };
  }

  private static double volume(Event event) {
    return switch (event) {
      case Event.OrderOpened opened -> opened.request().amount();
      case Event.Decided decided -> decided.child().volume();
      case Event.Filled filled -> filled.fill().volume();
      case Event.Amended amended -> amended.amount();
      case Event.FillCorrected corrected -> corrected.correction().volume();
      case Event.Unmatched unmatched -> unmatched.fill().volume();
      default -> Double.NaN;
    };
  }

  private static double price(Event event) {
    return switch (event) {
      case Event.Filled filled -> filled.fill().price();
      case Event.Decided decided -> decided.price();
      case Event.FillCorrected corrected -> corrected.correction().price();
      case Event.Unmatched unmatched -> unmatched.fill().price();
      case Event.Referenced referenced -> referenced.price();
      default -> Double.NaN;
    };
  }
}
