package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.FatalError;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.journal.Event;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Switches an account off when its heartbeat does not come. Which accounts have one is in the
/// journal; after a restart each has its whole time again.
final class Heartbeats implements AutoCloseable {

  private static final long POLL_MILLIS = 50;
  private static final long SECOND = 1_000_000_000;

  private final EngineCore core;
  private final EventCommitter committer;
  private final KillSwitch kill;
  private final Map<String, Long> due = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  Heartbeats(EngineCore core, EventCommitter committer, KillSwitch kill, boolean isStepped) {
    this.core = core;
    this.committer = committer;
    this.kill = kill;
    long now = core.ticker().getAsLong();
    core.serviceState()
        .heartbeats()
        .forEach((account, seconds) -> due.put(account, now + seconds * SECOND));
    if (!isStepped) {
      Thread.ofPlatform()
          .name("heartbeats")
          .daemon()
          .start(FatalError.guarded("heartbeats", this::run));
    }
  }

  void handle(Request.Heartbeat beat, Service.Reply reply) {
    long asked = core.ticker().getAsLong();
    String account = beat.account();
    try {
      OpenDays.requireName("account", account);
      Integer known = core.serviceState().heartbeats().get(account);
      long sequence = 0;
      if ((known == null ? 0 : known) != beat.seconds()) {
        committer.requireAble();
        sequence = core.journal().append(new Event.HeartbeatSet(account, beat.seconds()));
      }
      if (beat.seconds() == 0) {
        due.remove(account);
      } else {
        due.put(account, asked + beat.seconds() * SECOND);
      }
      String message =
          beat.seconds() == 0
              ? "account %s has no heartbeat".formatted(account)
              : "account %s is on for %d s".formatted(account, beat.seconds());
      committer.answer(new AnswerWhenDurable(new Answer.Done(message), sequence), reply, asked);
    } catch (Refusal e) {
      reply.answered(e.answer());
    } catch (IllegalArgumentException e) {
      reply.answered(new Answer.Refused(Answer.Reason.INVALID, String.valueOf(e.getMessage())));
    }
  }

  private void run() {
    try {
      while (!closing.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Switches off what is overdue now.
  void step() {
    long now = core.ticker().getAsLong();
    due.forEach(
        (account, until) -> {
          if (until - now < 0 && due.remove(account, until)) {
            core.counters().heartbeatsMissed.increment();
            core.observer()
                .notice(Kind.HEARTBEAT_MISSED, account, "switched off until an operator acts");
            kill.handle(new Request.Switch(Request.Scope.ACCOUNT, account, true), _ -> {});
          }
        });
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
