package io.tranche.serving.engine;

import io.tranche.config.ConfigException;
import io.tranche.files.FolderLock;
import io.tranche.files.Fsync;
import io.tranche.market.DataException;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Caller;
import io.tranche.serving.Counters;
import io.tranche.serving.DriftReport;
import io.tranche.serving.FatalError;
import io.tranche.serving.Observer;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.Service;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.EventFeed;
import io.tranche.serving.journal.Journal;
import io.tranche.serving.journal.ServiceState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.model.LoadedModels;
import io.tranche.serving.model.ModelWorker;
import io.tranche.serving.model.ModelWorkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The decision service without a network interface.
///
/// The ledger holds the state of every order, models advise, and the journal stores events. A
/// change is answered only once it would survive a power cut. A service that is opened on the
/// journal of one that died continues where that one stopped. See docs/serving.md.
public final class Engine implements Service, AutoCloseable {

  private final @Nullable FolderLock lock; // null without threads
  private final EngineCore core;
  private final DecisionHandler decisions;
  private final RequestHandler requests;
  private final AdminHandler admin;
  private final KillSwitch kill;
  private final Heartbeats heartbeats;
  private final SecondPerson second;
  private final DayGate gate;
  private final EventFeed feed;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final long recoveryNanos;
  private volatile boolean isClosed;

  /// What a service without threads waits for.
  enum Step {
    JOURNAL,
    MODELS,
    DEADLINES,
    HEARTBEATS
  }

  /// Does the next piece of work of a service without threads.
  ///
  /// @return whether there was one; not known for deadlines and heartbeats
  boolean step(Step which) {
    return switch (which) {
      case JOURNAL -> core.journal().step();
      case MODELS -> core.workers().step();
      case DEADLINES -> {
        decisions.step();
        yield false;
      }
      case HEARTBEATS -> {
        heartbeats.step();
        yield false;
      }
    };
  }

  private Engine(
      ServiceConfig config, Observer observer, EngineParts parts, @Nullable FolderLock lock) {
    this.lock = lock;
    RecoveredState recovered = RecoveredState.read(config);
    Ledger ledger = recovered.ledger();
    ServiceState state = recovered.service();
    feed = recovered.feed();
    recoveryNanos = recovered.nanos();
    var counters = new Counters();
    Observer guarded = guarded(observer);
    var journal =
        new Journal(
            config,
            parts.opener(),
            recovered.recovery(),
            state,
            counters,
            feed,
            guarded,
            parts.wall(),
            parts.isStepped());
    core =
        new EngineCore(
            config,
            new LoadedModels(),
            ledger,
            state,
            journal,
            new ModelWorkers(),
            counters,
            parts.ticker(),
            guarded);
    recovered.tell(guarded);
    ZoneId zone = config.clock().zone();
    journal.append(new Event.Started(config.limits(), zone == null ? "" : zone.getId()));
    var committer = new EventCommitter(core);
    kill =
        new KillSwitch(
            core,
            committer,
            recovered.reserve(),
            parts.executor("kill"),
            parts.executor("kill-save"),
            parts.isStepped());
    admin =
        new AdminHandler(
            core, committer, name -> parts.loader().apply(config, name), parts.executor("admin"));
    admin.restore();
    gate = new DayGate(config, ledger, state, parts.wall());
    var risk = new RiskGate(config.limits(), state, ledger, gate, parts.ticker(), core.observer());
    decisions =
        new DecisionHandler(core, committer, risk, admin::rollBack, this::fault, parts.isStepped());
    var threads = new ArrayList<ModelWorker>();
    for (int i = 0; i < config.bounds().workers(); i++) {
      threads.add(worker("model-" + i, parts));
    }
    core.workers().start(threads, worker("shadow", parts));
    requests = new RequestHandler(core, committer, decisions, gate, risk);
    heartbeats = new Heartbeats(core, committer, kill, parts.isStepped());
    second = new SecondPerson(config.rules().trust().needsTwoPeople(), parts.ticker());
    long last = recovered.recovery().sequence();
    kill.restore(last);
    if (!parts.isStepped()) {
      kill.rehearse(last);
    }
    RecoveredState.resume(core);
  }

  private ModelWorker worker(String name, EngineParts parts) {
    return new ModelWorker(
        name,
        core.config(),
        core.models(),
        core.counters(),
        decisions,
        parts.interference(),
        core.observer(),
        parts.isStepped());
  }

  /// Opens a service on a journal, which may be missing, empty, or left by a service that died.
  ///
  /// @throws DataException with file and offset if the journal is damaged
  /// @throws ConfigException if another service uses it
  public static Engine open(ServiceConfig config, Observer observer) {
    return open(config, observer, EngineParts.REAL);
  }

  static Engine open(ServiceConfig config, Observer observer, EngineParts parts) {
    FolderLock lock = parts.isStepped() ? null : lock(config.journal());
    boolean isOpen = false;
    try {
      var engine = new Engine(config, observer, parts, lock);
      isOpen = true;
      return engine;
    } finally {
      if (!isOpen && lock != null) {
        lock.close();
      }
    }
  }

  /// Keeps two services from writing one journal.
  private static FolderLock lock(Path journal) {
    try {
      Fsync.createFolders(journal);
      return FolderLock.take(journal);
    } catch (FolderLock.InUseException e) {
      throw new ConfigException(
          journal.toString(), FolderLock.InUseException.EXPECTED, e.getMessage());
    } catch (IOException e) {
      throw DataException.unwritable(journal, e);
    }
  }

  /// Returns an observer whose failures do not stop the service's threads.
  private static Observer guarded(Observer observer) {
    return notice -> {
      try {
        observer.noticed(notice);
      } catch (RuntimeException _) {
        // The observer itself failed, so there is nobody to notify.
      }
    };
  }

  @Override
  public void handle(Request request, Reply reply) {
    Reply guarded = answer -> answer(reply, answer);
    inFlight.incrementAndGet();
    try {
      if (isClosed) {
        guarded.answered(new Answer.Refused(Answer.Reason.UNAVAILABLE, "the service is closing"));
      } else if (request instanceof Request.Switch change) {
        kill.handle(change, guarded);
      } else if (request instanceof Request.Heartbeat beat) {
        heartbeats.handle(beat, guarded);
      } else if (request instanceof Request.Admin change) {
        Caller.as(second.require(change), () -> administer(change, guarded));
      } else {
        requests.handle(request, guarded);
      }
    } catch (Refusal e) {
      guarded.answered(e.answer());
    } catch (RuntimeException e) {
      fault(e);
      guarded.answered(new Answer.Refused(Answer.Reason.UNAVAILABLE, "internal error"));
    } catch (Error e) {
      FatalError.end("service", e);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  private void administer(Request.Admin change, Reply reply) {
    if (change instanceof Request.Correction || change instanceof Request.SetLimits) {
      requests.handle(change, reply);
    } else {
      admin.handle(change, reply);
    }
  }

  /// Delivers an answer. If the receiver throws, the service's threads continue.
  private void answer(Reply reply, Answer answer) {
    if (answer instanceof Answer.Refused(var reason, _)) {
      core.counters().refusals(reason).increment();
    }
    try {
      reply.answered(answer);
    } catch (RuntimeException e) {
      fault(e);
    }
  }

  private void fault(RuntimeException e) {
    core.observer().notice(Kind.FAULT, "service", e.toString());
  }

  public Counters counters() {
    return core.counters();
  }

  public Set<String> models() {
    return Set.copyOf(core.models().names());
  }

  /// Returns a model that is loaded, or null.
  public @Nullable LoadedModel model(String name) {
    LoadedModels.ServedModel served = core.models().find(name);
    return served == null ? null : served.model();
  }

  /// Returns how far a model's inputs and choices have drifted; null if it is not loaded.
  public @Nullable DriftReport drift(String name) {
    LoadedModels.ServedModel served = core.models().find(name);
    return served == null ? null : served.drift().report();
  }

  /// Returns the route of new orders; null before the first one is set.
  public @Nullable Route route() {
    Event.Routed routed = core.serviceState().routed();
    return routed == null ? null : routed.route();
  }

  /// Returns why the service rolled back, if that was the last change of the route; otherwise null.
  public @Nullable String rollbackReason() {
    Event.Routed routed = core.serviceState().routed();
    return routed == null ? null : routed.reason();
  }

  public Set<Request.Switch> switchedOff() {
    return core.serviceState().off();
  }

  /// Returns the durable events, for readers that follow the service.
  public EventFeed feed() {
    return feed;
  }

  /// Returns how many tasks wait for the busiest worker.
  public int queueDepth() {
    return core.workers().waiting();
  }

  /// Returns how many requests wait for the journal.
  public int journalQueue() {
    return core.journal().waiting();
  }

  /// Returns how long the journal took to read, in seconds.
  public double recoverySeconds() {
    return recoveryNanos / 1e9;
  }

  /// Returns how many bytes the journal's disk has free.
  ///
  /// @throws IOException if that cannot be found out
  public long freeBytes() throws IOException {
    return Files.getFileStore(core.config().journal()).getUsableSpace();
  }

  /// Returns what an operator watches about open orders.
  public OrderWatch watch() {
    return OrderWatch.of(core.ledger(), gate);
  }

  /// Returns how many fills of unknown orders are kept.
  public int unmatchedFills() {
    return core.serviceState().unmatched().size();
  }

  public int openOrders() {
    return core.ledger().orderCount();
  }

  /// Returns why no change can be accepted now; null if all is well.
  public @Nullable String failure() {
    return isClosed ? "closed" : core.journal().failure();
  }

  /// Returns why every new order would be refused now; null if one may be accepted.
  public @Nullable String unready() {
    String failure = failure();
    if (failure != null) {
      return failure;
    }
    Route route = route();
    if (route == null) {
      return "there is no route";
    }
    if (core.models().find(route.model()) == null) {
      return "model %s of the route is not loaded".formatted(route.model());
    }
    if (core.ledger().orderCount() >= core.config().bounds().maxOrders()) {
      return "too many orders are open";
    }
    return null;
  }

  /// Refuses new requests, answers the waiting ones, and makes everything durable.
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    while (inFlight.get() > 0) {
      Thread.onSpinWait(); // requests in flight return quickly
    }
    heartbeats.close();
    admin.close();
    kill.close();
    decisions.finish();
    core.workers().close();
    core.journal().close();
    if (lock != null) {
      lock.close();
    }
  }

  EngineCore core() {
    return core;
  }

  /// Ends a service without threads as a crash does: nothing more is written.
  void abandon() {
    isClosed = true;
    kill.close();
    core.journal().abandon();
  }
}
