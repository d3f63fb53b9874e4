package io.tranche.serving.model;

import io.tranche.serving.Request;
import io.tranche.serving.journal.BarValues;
import io.tranche.serving.journal.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What later events of a day change about earlier ones. A model reads the day as if it had been
/// right from the beginning.
final class Corrections {

  private record FillKey(String id, String fillId) {}

  /// @param at how many events there were before it
  private record Amendment(int at, Event.Amended event, double added) {}

  private final Map<Long, BarValues> bars = new HashMap<>();
  private final Map<FillKey, Request.CorrectFill> fills = new HashMap<>();
  private final Map<String, List<Amendment>> amendments = new HashMap<>();

  /// Whether an event corrects earlier ones.
  static boolean isOne(Event.OfDay event) {
    return event instanceof Event.BarCorrected
        || event instanceof Event.FillCorrected
        || event instanceof Event.Amended;
  }

  /// Reads all events that a model may see.
  void read(List<Event.OfDay> events) {
    bars.clear();
    fills.clear();
    amendments.clear();
    var amounts = new HashMap<String, Double>();
    for (int i = 0; i < events.size(); i++) {
      switch (events.get(i)) {
        case Event.OrderOpened opened ->
            amounts.put(opened.request().id(), opened.request().amount());
        case Event.BarCorrected(_, long time, var values) -> bars.put(time, values);
        case Event.FillCorrected(_, var fill) ->
            fills.put(new FillKey(fill.id(), fill.fillId()), fill);
        case Event.Amended amended -> {
          double before = amounts.getOrDefault(amended.id(), amended.amount());
          amounts.put(amended.id(), amended.amount());
          amendments
              .computeIfAbsent(amended.id(), _ -> new ArrayList<>())
              .add(new Amendment(i, amended, amended.amount() - before));
        }
        default -> {}
      }
    }
  }

  BarValues values(Event.BarTaken taken) {
    return bars.getOrDefault(taken.time(), taken.values());
  }

  Request.Fill fill(Request.Fill fill) {
    Request.CorrectFill other = fills.get(new FillKey(fill.id(), fill.fillId()));
    return other == null
        ? fill
        : new Request.Fill(fill.id(), fill.fillId(), fill.step(), other.volume(), other.price());
  }

  /// Returns an order with its newest amount and end.
  Request.OpenOrder order(Request.OpenOrder opened) {
    List<Amendment> all = amendments.get(opened.id());
    if (all == null) {
      return opened;
    }
    Event.Amended newest = all.getLast().event();
    return new Request.OpenOrder(
        opened.id(),
        opened.instrument(),
        opened.date(),
        opened.side(),
        newest.amount(),
        opened.start(),
        newest.end(),
        opened.model(),
        opened.account());
  }

  /// Returns how much amendments after the first `events` events added to an order.
  double added(String id, int events) {
    double added = 0;
    for (Amendment each : amendments.getOrDefault(id, List.of())) {
      added += each.at() >= events ? each.added() : 0;
    }
    return added;
  }
}
