package io.tranche.serving.engine;

import io.tranche.market.DataException;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Observer;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.EventCodec;
import io.tranche.serving.journal.SwitchReserve;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerOrder;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Switches trading off and on. A switch takes effect in the caller's thread, before anything can
/// wait: not for models, not for the journal, not for other requests, not for the log. A thread of
/// its own then withdraws the child orders that are working, while another one writes the reserved
/// space, so that neither waits for the other.
final class KillSwitch implements AutoCloseable {

  /// How long an answer waits for a disk that hangs, or for an instrument that is held up. It then
  /// tells what is still to be done.
  private static final long PATIENCE_MILLIS = 8;

  private final EngineCore core;
  private final EventCommitter committer;
  private final SwitchReserve reserve;
  private final ExecutorService thread;
  private final ExecutorService saver;
  private final boolean isStepped;

  KillSwitch(
      EngineCore core,
      EventCommitter committer,
      SwitchReserve reserve,
      ExecutorService thread,
      ExecutorService saver,
      boolean isStepped) {
    this.isStepped = isStepped;
    this.core = core;
    this.committer = committer;
    this.reserve = reserve;
    this.thread = thread;
    this.saver = saver;
  }

  /// Restores what was switched off when the journal could not be written, and withdraws the child
  /// orders of everything that is off: a crash may have kept a switch and lost the withdrawals
  /// after it.
  ///
  /// @param recovered the number of the journal's last event
  /// @throws DataException if the reserved space cannot be read
  void restore(long recovered) {
    SwitchReserve.Saved saved = saved();
    if (saved != null && saved.sequence() > recovered) {
      var before = core.serviceState().off();
      saved.off().stream().filter(each -> !before.contains(each)).forEach(this::apply);
      before.stream()
          .filter(each -> !saved.off().contains(each))
          .forEach(each -> apply(new Request.Switch(each.scope(), each.name(), false)));
    }
    var _ = withdrawNow(new Request.Switch(Request.Scope.ALL, null, true));
  }

  private SwitchReserve.@Nullable Saved saved() {
    try {
      return reserve.read();
    } catch (IOException e) {
      throw DataException.unwritable(core.config().journal(), e);
    }
  }

  private void apply(Request.Switch change) {
    save(core.journal().append(new Event.Switched(change)));
    core.observer().notice(Kind.SWITCHED, String.valueOf(change.name()), what(change));
  }

  private boolean save(long sequence) {
    try {
      reserve.write(sequence, core.serviceState().off());
      return true;
    } catch (IOException e) {
      core.observer().notice(Kind.JOURNAL, "switches", String.valueOf(e.getMessage()));
      return false;
    }
  }

  void handle(Request.Switch change, Service.Reply reply) {
    try {
      requireKnown(change);
    } catch (Refusal e) {
      reply.answered(e.answer());
      return;
    }
    long sequence = core.journal().append(new Event.Switched(change));
    finish(change, sequence, withdraw(change), reply, core.observer());
  }

  /// Keeps a switch that is in force, answers, and then tells of it.
  private void finish(
      Request.Switch change,
      long sequence,
      CompletableFuture<Integer> withdrawn,
      Service.Reply reply,
      Observer observer) {
    var durable = new CompletableFuture<Boolean>();
    core.journal().whenDurable(sequence, durable::complete);
    CompletableFuture<Boolean> saved = on(saver, () -> save(sequence), false);
    var _ =
        answer(what(change), withdrawn, durable, saved)
            .thenAccept(message -> reply.answered(new Answer.Done(message)));
    var _ = on(saver, () -> tell(change, observer), false);
  }

  private static boolean tell(Request.Switch change, Observer observer) {
    String subject = change.name() == null ? "all" : change.name();
    observer.notice(Kind.SWITCHED, subject, what(change));
    return true;
  }

  private CompletableFuture<String> answer(
      String what,
      CompletableFuture<Integer> withdrawn,
      CompletableFuture<Boolean> durable,
      CompletableFuture<Boolean> saved) {
    CompletableFuture<Boolean> kept = either(durable, saved);
    var done = CompletableFuture.allOf(withdrawn, kept);
    if (!isStepped) {
      done = done.completeOnTimeout(null, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
    return done.thenApply(_ -> message(what, withdrawn, kept));
  }

  /// Returns whether one of both is true, as soon as one is or both are known.
  private static CompletableFuture<Boolean> either(
      CompletableFuture<Boolean> one, CompletableFuture<Boolean> other) {
    CompletableFuture<Boolean> both = one.thenCombine(other, Boolean::logicalOr);
    var _ = one.thenAccept(is -> completeIf(is, both));
    var _ = other.thenAccept(is -> completeIf(is, both));
    return both;
  }

  private static void completeIf(boolean is, CompletableFuture<Boolean> both) {
    if (is) {
      both.complete(true);
    }
  }

  /// Does what a switch does, but changes nothing: switches are rare, and the first one must not
  /// wait until classes are loaded.
  ///
  /// @param recovered the number of the journal's last event
  void rehearse(long recovered) {
    var all = new Request.Switch(Request.Scope.ALL, null, true);
    requireKnown(all);
    EventCodec.write(new Event.Switched(all));
    EventCodec.write(new Event.Withdrawn(new Event.DayKey("", LocalDate.EPOCH), ""));
    // What is waited for is not there yet, as in a real switch.
    var withdrawn = new CompletableFuture<Integer>();
    var answered = new CompletableFuture<Answer>();
    finish(all, recovered, withdrawn, answered::complete, Observer.NONE);
    withdraw(all).thenAccept(withdrawn::complete).join(); // nothing: what is off is withdrawn
    answered.join();
    var never = new CompletableFuture<Boolean>();
    var unsaved = new CompletableFuture<Boolean>();
    CompletableFuture<String> message = answer(what(all), on(thread, () -> 0, 0), never, unsaved);
    unsaved.complete(false);
    never.complete(false);
    message.join();
  }

  private static String what(Request.Switch change) {
    String name = change.name();
    String subject =
        name == null ? "everything" : change.scope().name().toLowerCase(Locale.ROOT) + " " + name;
    return "%s is %s".formatted(subject, change.isOff() ? "off" : "on");
  }

  private static String message(
      String what, CompletableFuture<Integer> withdrawn, CompletableFuture<Boolean> kept) {
    int count = withdrawn.getNow(-1);
    String children =
        count == 0
            ? ""
            : count < 0 ? "; child orders follow" : ", %d child orders withdrawn".formatted(count);
    String journal =
        !kept.isDone()
            ? "; the journal follows"
            : kept.join() ? "" : "; the journal cannot be written, so a restart may forget it";
    return what + children + journal;
  }

  private void requireKnown(Request.Switch change) {
    String name = change.name();
    boolean isKnown =
        switch (change.scope()) {
          case ALL -> true;
          case MODEL -> core.serviceState().models().containsKey(name);
          case INSTRUMENT -> core.ledger().instruments().containsKey(name);
          case ACCOUNT ->
              core.ledger().book().knows(Request.Scope.ACCOUNT, String.valueOf(name))
                  || core.serviceState().heartbeats().containsKey(String.valueOf(name));
        };
    var off = new Request.Switch(change.scope(), name, true);
    if (!isKnown && !core.serviceState().off().contains(off)) {
      throw new Refusal(
          Reason.UNKNOWN,
          "%s must be known to the service, was '%s'"
              .formatted(change.scope().name().toLowerCase(Locale.ROOT), name));
    }
  }

  private CompletableFuture<Integer> withdraw(Request.Switch change) {
    if (!change.isOff()) {
      return CompletableFuture.completedFuture(0);
    }
    return on(thread, () -> withdrawNow(change), 0);
  }

  private static <T> CompletableFuture<T> on(
      ExecutorService thread, Supplier<T> work, T otherwise) {
    try {
      return CompletableFuture.supplyAsync(work, thread);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.completedFuture(otherwise);
    }
  }

  private int withdrawNow(Request.Switch change) {
    int count = 0;
    for (var each : core.ledger().instruments().entrySet()) {
      if (change.scope() == Request.Scope.INSTRUMENT && !each.getKey().equals(change.name())) {
        continue;
      }
      InstrumentState state = each.getValue();
      synchronized (state) {
        for (LedgerOrder order : state.working()) {
          if (order.isWorking()
              && core.serviceState().isOff(order.model(), each.getKey(), order.account())) {
            order.setSequence(
                committer.commit(state, new Event.Withdrawn(order.day().key(), order.id())));
            count++;
          }
        }
      }
    }
    return count;
  }

  @Override
  public void close() {
    thread.close();
    saver.close();
    try {
      reserve.close();
    } catch (IOException e) {
      core.observer().notice(Kind.JOURNAL, "switches", String.valueOf(e.getMessage()));
    }
  }
}
