package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.runtime.LiveModel;
import io.tranche.market.BarTime;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.Frames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Compares every answer of a service with its journal, which has the order in which requests were
/// taken. Whatever was taken must have been answered with the state of a ledger that read exactly
/// the events up to it, byte for byte, and be there once; whatever was refused must not be there,
/// and one of the states in which the service may have seen it must explain why.
///
/// Requests about an instrument go over one connection and are handled in order, but a decision is
/// taken later than it is asked. So a refused request was seen between the one before it and the
/// one after it that were taken, decisions aside.
final class PeakJudge {

  private final DeskScript script;
  private final AnswerLog log;
  private final Ledger ledger;
  private final RefusalRules rules;
  private final Consumer<String> shown;
  private final Map<String, Integer> places = new HashMap<>();
  private final List<BitSet> found = new ArrayList<>();
  private final List<BitSet> explained = new ArrayList<>();

  /// The refusals of each instrument that the next states may explain.
  private final List<List<OpenRefusal>> open = new ArrayList<>();

  private final int[] opened; // up to which place refusals were opened
  private long wrong;
  private long doubled;
  private long lost;

  /// @param shown is told what is wrong
  PeakJudge(
      DeskScript script,
      AnswerLog log,
      ServiceConfig config,
      int instruments,
      Consumer<String> shown) {
    this.script = script;
    this.log = log;
    this.ledger = new Ledger(config);
    this.rules = new RefusalRules(ledger, config);
    this.shown = shown;
    this.opened = new int[instruments];
    List<Request> day = script.firstDay();
    for (int place = 0; place < day.size(); place++) {
      places.put(key(day.get(place)), place);
    }
    for (int i = 0; i < instruments; i++) {
      found.add(new BitSet());
      explained.add(new BitSet());
      open.add(new ArrayList<>());
      openRefusals(i, 0);
    }
  }

  long wrong() {
    return wrong;
  }

  /// Returns how many events there are twice, or belong to no request.
  long doubled() {
    return doubled;
  }

  /// Returns how many requests were acknowledged and are not there.
  long lost() {
    return lost;
  }

  /// Takes the next event of the journal.
  void take(Event event) {
    String key =
        switch (event) {
          case Event.OfDay of -> key(of);
          case Event.Unmatched(var fill) -> key(fill);
          default -> null;
        };
    if (key == null) {
      if (event instanceof Event.OfDay of) {
        int instrument = number(of.day().instrument());
        explain(instrument);
        ledger.replay(of);
        explain(instrument);
      }
      return;
    }
    Request.@Nullable Fill unmatched = event instanceof Event.Unmatched(var fill) ? fill : null;
    String name =
        unmatched == null
            ? ((Event.OfDay) event).day().instrument()
            : unmatched.id().substring(0, unmatched.id().indexOf('-'));
    int instrument = number(name);
    Integer inDay = places.get(key);
    if (inDay == null) {
      doubled++;
      shown.accept("no request has asked for " + event);
      return;
    }
    int place = script.place(day(event), inDay);
    explain(instrument);
    if (event instanceof Event.OfDay of) {
      ledger.replay(of);
    }
    if (found.get(instrument).get(place)) {
      doubled++;
      shown.accept("twice: " + event);
    }
    found.get(instrument).set(place);
    compare(instrument, place, event);
    if (!(event instanceof Event.Decided)) {
      openRefusals(instrument, place + 1);
    }
    explain(instrument);
  }

  private void compare(int instrument, int place, Event event) {
    AnswerLog.Outcome outcome = log.at(instrument, place);
    switch (outcome.kind()) {
      case NONE, UNSURE -> {}
      case TAKEN -> {
        byte[] answer = answer(event);
        if (answer == null || outcome.hash() != AnswerLog.hash(answer)) {
          wrong(instrument, place, "was answered otherwise than its event says: " + event);
        }
      }
      case OVERLOAD, OVER -> wrong(instrument, place, "was refused and taken: " + event);
      case REFUSED -> {
        boolean isKept = event instanceof Event.Unmatched;
        if (!isKept || outcome.reason() != Answer.Reason.UNMATCHED) {
          wrong(instrument, place, "was refused and taken: " + event);
        }
      }
    }
  }

  /// Returns the answer to the request that an event comes from, right after it; null if that must
  /// have been refused.
  private byte @Nullable [] answer(Event event) {
    return switch (event) {
      case Event.Decided decided -> Frames.writeAnswers(List.of(decided.child()));
      case Event.BarTaken _ -> Frames.writeAnswers(List.of(new Answer.BarTaken(BarAnswer.TAKEN)));
      case Event.Filled filled -> Frames.writeAnswers(List.of(order(filled.fill().id()).state()));
      case Event.OrderOpened opened -> AnswerJson.write(order(opened.request().id()).state());
      case Event.Referenced(var day, double price) ->
          AnswerJson.write(new Answer.Done("reference of %s is %s".formatted(day, price)));
      default -> null;
    };
  }

  private LedgerOrder order(String id) {
    return ledger.require(id);
  }

  /// Opens the refusals from a place up to the next request that has an event: one that was taken
  /// at once, or a fill that matches nothing, which is refused and kept.
  private void openRefusals(int instrument, int from) {
    List<OpenRefusal> refusals = open.get(instrument);
    refusals.removeIf(each -> each.outcome.kind() != AnswerLog.Kind.OVER);
    opened[instrument] = Math.max(opened[instrument], from);
    for (int place = opened[instrument]; place < log.size(instrument); place++) {
      AnswerLog.Outcome outcome = log.at(instrument, place);
      if (outcome.isTaken() && !script.isDecisionAt(place)) {
        return;
      }
      if (outcome.needsReason()) {
        refusals.add(new OpenRefusal(place, script.request(instrument, place), outcome));
        if (outcome.reason() == Answer.Reason.UNMATCHED) {
          return;
        }
      }
    }
  }

  /// Looks for refusals that the present state explains.
  private void explain(int instrument) {
    List<OpenRefusal> refusals = open.get(instrument);
    if (!refusals.isEmpty()) {
      rules.look();
      refusals.removeIf(
          each -> {
            boolean isExplained = isExplained(instrument, each);
            explained.get(instrument).set(each.place, isExplained);
            return isExplained;
          });
    }
  }

  private boolean isExplained(int instrument, OpenRefusal refusal) {
    if (refusal.outcome.kind() == AnswerLog.Kind.OVER) {
      return rules.isOver(refusal.request);
    }
    Answer.Reason reason = refusal.outcome.reason();
    return rules.explains(refusal.request, reason)
        || (reason == Answer.Reason.NOT_DUE && isBeingDecided(instrument, refusal.place));
  }

  /// Whether another decision of the same order was asked before and is not taken.
  private boolean isBeingDecided(int instrument, int place) {
    int order = script.orderAt(place);
    for (int before = place - 1; before >= script.dayStart(place); before--) {
      if (script.isDecisionAt(before)
          && script.orderAt(before) == order
          && !found.get(instrument).get(before)) {
        AnswerLog.Kind kind = log.at(instrument, before).kind();
        if (kind != AnswerLog.Kind.OVERLOAD && kind != AnswerLog.Kind.REFUSED) {
          return true;
        }
      }
    }
    return false;
  }

  /// Judges what no event was about.
  void finish() {
    for (int instrument = 0; instrument < found.size(); instrument++) {
      explain(instrument);
      for (int place = 0; place < log.size(instrument); place++) {
        AnswerLog.Outcome outcome = log.at(instrument, place);
        boolean isKept = outcome.reason() == Answer.Reason.UNMATCHED && outcome.needsReason();
        if ((outcome.isTaken() || isKept) && !found.get(instrument).get(place)) {
          lost++;
          shown.accept("lost: " + script.request(instrument, place));
        } else if (outcome.needsReason() && !explained.get(instrument).get(place)) {
          wrong(instrument, place, "was refused without a reason: " + outcome.reason());
        }
      }
    }
  }

  private void wrong(int instrument, int place, String why) {
    wrong++;
    shown.accept("%s %s".formatted(script.request(instrument, place), why));
  }

  private static int number(String instrument) {
    return Integer.parseInt(instrument.substring(1));
  }

  private static int day(Event event) {
    if (event instanceof Event.Unmatched(var fill)) {
      int from = fill.id().indexOf('-') + 1;
      return Integer.parseInt(fill.id().substring(from, fill.id().indexOf('-', from)));
    }
    var date = ((Event.OfDay) event).day().date();
    return (int) (date.toEpochDay() - LiveModel.DATE.toEpochDay());
  }

  private static String key(Request request) {
    return switch (request) {
      case Request.Reference _ -> "reference";
      case Request.OpenOrder order -> "order " + DeskDay.orderOf(order.id());
      case Request.Decide(var id, var step, _) -> "decide " + DeskDay.orderOf(id) + " " + step;
      case Request.Fill fill -> "fill " + DeskDay.orderOf(fill.id()) + " " + fill.fillId();
      case Request.Bar bar -> "bar " + bar.time().toLocalTime();
      default -> throw new IllegalArgumentException("no desk sends " + request);
    };
  }

  /// Returns which request of a day an event comes from; null if none asks for it.
  private static @Nullable String key(Event.OfDay event) {
    return switch (event) {
      case Event.Referenced _ -> "reference";
      case Event.OrderOpened opened -> key(opened.request());
      case Event.Decided(_, var child, _, _, _, _) ->
          "decide " + DeskDay.orderOf(child.id()) + " " + child.step();
      case Event.Filled filled -> key(filled.fill());
      case Event.BarTaken bar -> "bar " + BarTime.dateTime(bar.time()).toLocalTime();
      default -> null;
    };
  }

  /// A refusal that no state has explained yet.
  private record OpenRefusal(int place, Request request, AnswerLog.Outcome outcome) {}
}
