package io.tranche.cli.journal;

import io.tranche.market.Table;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.JournalHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Events as rows. What an event does not have is missing; `detail` has all of it.
final class EventTable {

  private EventTable() {}

  static Table of(List<JournalHistory.Entry> entries) {
    Map<String, Table.Column> columns = new LinkedHashMap<>();
    columns.put("number", Table.Numbers.of(entries, each -> each.sequence()));
    columns.put("time", texts(entries, JournalHistory.Entry::time));
    columns.put("caller", texts(entries, JournalHistory.Entry::caller));
    columns.put("event", texts(entries, each -> each.event().getClass().getSimpleName()));
    columns.put("instrument", ofDay(entries, each -> each.day().instrument()));
    columns.put("date", ofDay(entries, each -> each.day().date()));
    columns.put("order", texts(entries, each -> order(each.event())));
    columns.put("model", texts(entries, each -> model(each.event())));
    columns.put("step", Table.Numbers.of(entries, each -> step(each.event())));
    columns.put("volume", Table.Numbers.of(entries, each -> volume(each.event())));
    columns.put("price", Table.Numbers.of(entries, each -> price(each.event())));
    columns.put("detail", texts(entries, JournalHistory.Entry::event));
    return Table.of(columns);
  }

  private static Table.Texts texts(
      List<JournalHistory.Entry> entries, Function<JournalHistory.Entry, @Nullable Object> value) {
    return Table.Texts.of(
        entries.stream()
            .map(value)
            .map(each -> each == null ? null : each.toString())
            .toArray(String[]::new));
  }

  private static Table.Texts ofDay(
      List<JournalHistory.Entry> entries, Function<Event.OfDay, Object> value) {
    return texts(
        entries, each -> each.event() instanceof Event.OfDay event ? value.apply(event) : null);
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
