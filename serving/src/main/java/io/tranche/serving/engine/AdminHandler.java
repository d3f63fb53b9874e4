package io.tranche.serving.engine;

import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Caller;
import io.tranche.serving.DriftReport;
import io.tranche.serving.FatalError;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.Service;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.model.DriftMonitor;
import io.tranche.serving.model.LoadedModels;
import io.tranche.serving.model.ModelHealth;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Handles operators' requests one at a time in a thread of its own, because loading a model is
/// slow and orders must not wait for it.
final class AdminHandler implements AutoCloseable {

  private final EngineCore core;
  private final Function<String, LoadedModel> loader;
  private final EventCommitter committer;
  private final ExecutorService thread;

  /// @param loader loads a model by name
  AdminHandler(
      EngineCore core,
      EventCommitter committer,
      Function<String, LoadedModel> loader,
      ExecutorService thread) {
    this.loader = loader;
    this.thread = thread;
    this.core = core;
    this.committer = committer;
  }

  /// Loads the models that were loaded when the journal ended. A model whose file is missing or has
  /// changed is left out; TWAP decides for its orders.
  void restore() {
    core.serviceState()
        .models()
        .forEach(
            (name, fingerprint) -> {
              try {
                LoadedModel model = loader.apply(name);
                if (!model.fingerprint().equals(fingerprint)) {
                  throw new IllegalArgumentException(
                      "model %s must be the one that its orders began with, was a different one"
                          .formatted(name));
                }
                add(name, model);
              } catch (IllegalArgumentException e) {
                core.observer().notice(Kind.MODEL_FAILED, name, String.valueOf(e.getMessage()));
              }
            });
  }

  void handle(Request.Admin request, Service.Reply reply) {
    String caller = Caller.name();
    long asked = core.ticker().getAsLong();
    run(
        () -> {
          try {
            committer.answer(Caller.call(caller, () -> handle(request)), reply, asked);
          } catch (Refusal e) {
            reply.answered(e.answer());
          } catch (IllegalArgumentException e) {
            reply.answered(new Answer.Refused(Reason.INVALID, String.valueOf(e.getMessage())));
          } catch (RuntimeException e) {
            core.observer().notice(Kind.FAULT, "admin", e.toString());
            reply.answered(new Answer.Refused(Reason.UNAVAILABLE, "internal error"));
          }
        },
        () -> reply.answered(new Answer.Refused(Reason.UNAVAILABLE, "the service is closing")));
  }

  private void run(Runnable task, Runnable otherwise) {
    try {
      thread.execute(FatalError.guarded("admin", task));
    } catch (RejectedExecutionException _) {
      otherwise.run();
    }
  }

  private AnswerWhenDurable handle(Request.Admin request) {
    committer.requireAble();
    return switch (request) {
      case Request.Switch _, Request.SetLimits _, Request.Correction _ ->
          throw new IllegalStateException("does not wait here: " + request);
      case Request.Load(var name) -> load(name);
      case Request.Unload(var name) -> unload(name);
      case Request.SetRoute(var route) -> route(route);
    };
  }

  private AnswerWhenDurable load(String name) {
    LoadedModels.ServedModel known = core.models().find(name);
    LoadedModel model = loader.apply(name);
    if (known != null && !known.model().fingerprint().equals(model.fingerprint())) {
      throw new Refusal(
          Reason.CONFLICT, "model %s is loaded, but its file has changed since".formatted(name));
    }
    LedgerOrder order = core.ledger().openWithAnother(name, model.fingerprint());
    if (order != null) {
      throw new Refusal(
          Reason.CONFLICT,
          "model %s must be the one that its open orders began with, such as %s, was another file"
              .formatted(name, order.id()));
    }
    String message = "model %s is loaded".formatted(name);
    if (known != null) {
      return new AnswerWhenDurable(new Answer.Done(message), 0);
    }
    long sequence = core.journal().append(new Event.ModelLoaded(name, model.fingerprint()));
    add(name, model);
    core.observer().notice(Kind.MODEL_LOADED, name, model.fingerprint());
    return new AnswerWhenDurable(new Answer.Done(message), sequence);
  }

  private void add(String name, LoadedModel model) {
    var drift = new DriftMonitor(core.config().drift(), model, report -> drifted(name, report));
    if (!drift.hasBins()) {
      core.observer()
          .notice(
              Kind.DRIFT,
              name,
              model.reference() == null
                  ? "drift is not watched, because the bundle has no reference"
                  : "drift sees means only, because the bundle has no shares; export it again");
    }
    core.models()
        .add(
            new LoadedModels.ServedModel(
                name,
                model,
                new ModelHealth(core.config().rollback()),
                drift,
                new AtomicInteger()));
  }

  private AnswerWhenDurable unload(String name) {
    LoadedModels.ServedModel model = core.models().find(name);
    if (model == null) {
      throw new Refusal(Reason.UNKNOWN, "model must be loaded, was '%s'".formatted(name));
    }
    Event.Routed routed = core.serviceState().routed();
    if (routed != null && routed.route().uses(name)) {
      throw new Refusal(Reason.CONFLICT, "model %s is on the route".formatted(name));
    }
    if (!core.models().remove(model, () -> core.ledger().isOpenWith(name))) {
      throw new Refusal(Reason.CONFLICT, "model %s has open orders".formatted(name));
    }
    long sequence = core.journal().append(new Event.ModelUnloaded(name));
    core.observer().notice(Kind.MODEL_UNLOADED, name, "unloaded");
    return new AnswerWhenDurable(new Answer.Done("model %s is unloaded".formatted(name)), sequence);
  }

  private AnswerWhenDurable route(Route route) {
    requireLoaded(route.model());
    String canary = route.canary();
    if (canary != null) {
      requireLoaded(canary);
      if (canary.equals(route.model())) {
        throw new IllegalArgumentException("canary must be another model, was " + canary);
      }
    }
    route.shadows().forEach(this::requireLoaded);
    Event.Routed now = core.serviceState().routed();
    String previous =
        now == null || now.route().model().equals(route.model())
            ? (now == null ? null : now.previous())
            : now.route().model();
    return new AnswerWhenDurable(
        new Answer.Done("new orders go to %s".formatted(route)), route(route, previous, null));
  }

  private long route(Route route, @Nullable String previous, @Nullable String reason) {
    long sequence = core.journal().append(new Event.Routed(route, previous, reason));
    core.observer().notice(Kind.ROUTED, route.model(), route.toString());
    return sequence;
  }

  private void requireLoaded(String name) {
    if (core.models().find(name) == null) {
      throw new Refusal(
          Reason.UNKNOWN,
          "model must be one of %s, was '%s'".formatted(core.models().names(), name));
    }
  }

  /// Routes new orders away from a model that performs badly.
  void rollBack(String model, String complaint) {
    run(() -> rollBackNow(model, complaint), () -> {});
  }

  private void rollBackNow(String model, String complaint) {
    Event.Routed now = core.serviceState().routed();
    if (now == null || core.journal().failure() != null) {
      return;
    }
    Route route = now.route();
    String previous = now.previous();
    Route back = null;
    if (model.equals(route.canary())) {
      back = new Route(route.model(), null, 0, route.shadows());
    } else if (model.equals(route.model())
        && previous != null
        && core.models().find(previous) != null
        && !previous.equals(model)) {
      back =
          new Route(
              previous,
              null,
              0,
              route.shadows().stream().filter(each -> !each.equals(previous)).toList());
    }
    if (back != null) {
      String reason = "%s %s".formatted(model, complaint);
      route(back, null, reason);
      core.counters().rollbacks.increment();
      core.observer().notice(Kind.ROLLED_BACK, model, complaint);
    }
  }

  private void drifted(String model, DriftReport report) {
    if (!report.isAlarmed()) {
      core.observer().notice(Kind.DRIFT_ENDED, model, report.toString());
      return;
    }
    core.counters().driftAlarms.increment();
    core.observer().notice(Kind.DRIFT, model, report.toString());
    if (core.config().drift().rollsBack()) {
      rollBack(model, "drifted: " + report);
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
