package io.tranche.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.Route;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.engine.Engine;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.JournalHistory;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a service does right is right, however many requests it did not get; what it does wrong is
/// found.
class PeakJudgeTest {

  private static final int INSTRUMENTS = 3;
  private static final int DAYS = 3;

  @TempDir Path folder;

  private ServiceConfig config;
  private DeskScript script;
  private AnswerLog log;
  private final List<Event> events = new ArrayList<>();
  private final List<String> shown = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    var model = new ServedBundle(folder);
    var spec = model.loaded.spec();
    config =
        ServiceConfig.of(
                folder.resolve("models"),
                folder.resolve("journal"),
                spec.session(),
                spec.frequency())
            .withSessions(spec.sessions())
            .withLimits(RiskLimits.of(Limit.ORDER_VALUE, 1e15))
            .withCancelsAwaited(false)
            .withEarlierDaysNeeded(false);
    script = new DeskScript(new DeskDay(model, true), DeskScript.Form.COMPACT, INSTRUMENTS, 0);
    log = new AnswerLog(script, INSTRUMENTS);
  }

  /// Sends all requests but those that never come, each before the last one is answered.
  private void play(BiPredicate<Integer, Integer> isDropped) {
    var answers = new Phaser(1);
    try (var engine = Engine.open(config, Observer.NONE)) {
      engine.ask(new Request.Load("load@1")).join();
      engine.ask(new Request.SetRoute(Route.to("load@1"))).join();
      for (int place = 0; place < DAYS * script.firstDay().size(); place++) {
        for (int instrument = 0; instrument < INSTRUMENTS; instrument++) {
          if (isDropped.test(instrument, place)) {
            note(instrument, place, new Answer.Refused(Answer.Reason.OVERLOADED, "dropped"));
          } else {
            answers.register();
            int about = instrument;
            int at = place;
            engine.handle(
                script.request(instrument, place),
                answer -> {
                  note(about, at, answer);
                  answers.arriveAndDeregister();
                });
          }
        }
      }
      answers.arriveAndAwaitAdvance();
    }
    JournalHistory.read(
        config.journal(), entries -> entries.forEach(each -> events.add(each.event())));
  }

  private synchronized void note(int instrument, int place, Answer answer) {
    boolean isFrame =
        answer instanceof Answer.Child
            || answer instanceof Answer.BarTaken
            || (answer instanceof Answer.OrderState
                && script.request(instrument, place) instanceof Request.Fill);
    byte[] body =
        answer instanceof Answer.Refused(var reason, var message)
            ? AnswerJson.error(reason.name().toLowerCase(Locale.ROOT), message, "r")
            : isFrame ? Frames.writeAnswers(List.of(answer)) : AnswerJson.write(answer);
    int status = answer instanceof Answer.Refused ? 409 : 200;
    log.note(instrument, place, AnswerLog.outcome(status, ByteBuffer.wrap(body)));
  }

  private PeakJudge judged() {
    shown.clear();
    var judge = new PeakJudge(script, log, config, INSTRUMENTS, shown::add);
    events.forEach(judge::take);
    judge.finish();
    return judge;
  }

  private void requireNothingWrong() {
    PeakJudge judge = judged();
    assertThat(shown).isEmpty();
    assertThat(judge.wrong() + judge.lost() + judge.doubled()).isZero();
  }

  private long count(AnswerLog.Kind kind) {
    long count = 0;
    for (int instrument = 0; instrument < INSTRUMENTS; instrument++) {
      for (int place = 0; place < log.size(instrument); place++) {
        count += log.at(instrument, place).kind() == kind ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void whatFollowsFromMissingRequestsIsExplained() {
    var random = new SplittableRandom(1);
    // An instrument that misses few requests, one that misses half, and one without its orders.
    play(
        (instrument, place) ->
            switch (instrument) {
              case 0 -> random.nextInt(50) == 0;
              case 1 -> random.nextBoolean();
              default -> script.request(instrument, place) instanceof Request.OpenOrder;
            });

    requireNothingWrong();
    assertThat(count(AnswerLog.Kind.REFUSED)).isGreaterThan(100);
    assertThat(count(AnswerLog.Kind.TAKEN)).isGreaterThan(1_000);
  }

  @Test
  void everyWrongAnswerLossRepetitionAndRefusalIsFound() {
    play((_, _) -> false);
    requireNothingWrong();

    int decided = place(Request.Decide.class);
    AnswerLog.Outcome right = log.at(0, decided);
    log.note(0, decided, new AnswerLog.Outcome(right.kind(), right.hash() ^ 1, right.reason()));
    assertThat(judged().wrong()).isEqualTo(1);
    assertThat(shown).anyMatch(each -> each.contains("was answered otherwise than its event says"));

    refuse(decided, Answer.Reason.OVERLOADED);
    assertThat(judged().wrong()).isPositive(); // what it kept waiting is unexplained as well
    assertThat(shown).anyMatch(each -> each.contains("was refused and taken"));
    log.note(0, decided, right);

    int fill = place(Request.Fill.class);
    Event last = events.removeLast();
    Event filled =
        events.stream()
            .filter(each -> each instanceof Event.Filled of && of.fill().id().startsWith("I00000"))
            .findFirst()
            .orElseThrow();
    int at = events.indexOf(filled);
    events.add(last);
    events.remove(at);
    PeakJudge judge = judged();
    assertThat(judge.lost()).isEqualTo(1);
    assertThat(judge.wrong()).isPositive(); // later states of that order differ too

    refuse(fill, Answer.Reason.UNMATCHED);
    assertThat(judged().lost()).isEqualTo(1); // it was to be kept
    refuse(fill, Answer.Reason.INVALID);
    judge = judged();
    assertThat(judge.lost()).isZero();
    assertThat(shown).anyMatch(each -> each.contains("was refused without a reason: INVALID"));

    events.add(at, filled);
    Event unknown =
        new Event.Filled(
            ((Event.Filled) filled).day(),
            new Request.Fill("I00000-0-0", "invented", 1, 10),
            false);
    events.add(at + 1, unknown);
    assertThat(judged().doubled()).isEqualTo(1);
  }

  private int place(Class<? extends Request> kind) {
    List<Request> day = script.firstDay();
    for (int place = 0; place < day.size(); place++) {
      if (kind.isInstance(day.get(place))) {
        return place;
      }
    }
    throw new AssertionError(kind);
  }

  private void refuse(int place, Answer.Reason reason) {
    byte[] body = AnswerJson.error(reason.name().toLowerCase(Locale.ROOT), "no", "r");
    log.note(0, place, AnswerLog.outcome(409, ByteBuffer.wrap(body)));
  }
}
