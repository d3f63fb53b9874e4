package io.tranche.serving.engine;

import io.tranche.market.Side;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Limit;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.Request.SetLimits;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.Route;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.TestModels;
import io.tranche.serving.engine.Invariants.Violation;
import io.tranche.serving.model.ModelWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Clients, network, service, clocks and disk as one program without threads. The seed decides
/// everything, so a schedule that fails can be run again.
final class Simulation {

  /// What may be broken on purpose, to see that it is found.
  enum Mutation {
    NONE,
    /// The disk calls durable what it then loses.
    DISK_LIES,
    /// What is out in the market is not reserved.
    NOTHING_RESERVED,
    /// The service has no limits.
    NO_LIMITS,
    /// What was switched off on a full disk is forgotten by a restart.
    SWITCHES_FORGOTTEN
  }

  private static final int REQUESTS = 200;
  private static final int LEAST_FAULTS = 5;
  static final float PRICE = 10;
  private static final float VOLUME = 400;
  private static final List<String> INSTRUMENTS = List.of("A", "B");
  static final RiskLimits DESK =
      RiskLimits.of(Limit.GROSS_VALUE, 30_000).with(Limit.PARTICIPATION_DAY, 0.25);
  static final RiskLimits ACCOUNT = RiskLimits.of(Limit.NET_VALUE, 6_000);

  /// A message on its way.
  private record Sent(Request request, int attempts) {}

  private final SplittableRandom random;
  private final Mutation mutation;
  private final SimulatedDisk disk;
  private final LoadedModel model;
  private final ServiceConfig config;
  private final List<Sent> network = new ArrayList<>();
  private final Map<String, KnownOrder> orders = new TreeMap<>();
  private final Map<String, Integer> ticks = new HashMap<>();
  private @Nullable Engine engine;
  private long nanos = 1;
  private Instant wall = Instant.parse("2026-03-03T01:00:00Z");
  private int switchedOn;
  private boolean mustBeOff; // everything was switched off, and a client was told
  private @Nullable Violation found;
  int requests;
  int faults;

  Simulation(long seed, Path folder, Mutation mutation, LoadedModel model) {
    this.random = new SplittableRandom(seed);
    this.mutation = mutation;
    this.model = model;
    this.disk = new SimulatedDisk(random.split());
    disk.lies = mutation == Mutation.DISK_LIES;
    var bounds =
        ServiceConfig.Bounds.DEFAULT
            .withWorkers(1, 100)
            .withMost(100, 10)
            .withJournal(4_000, 1_000);
    ServiceConfig plain =
        TestService.config(folder)
            .withBounds(bounds)
            .withCancelsAwaited(mutation != Mutation.NOTHING_RESERVED);
    this.config =
        mutation == Mutation.NO_LIMITS
            ? plain
            : plain.withLimits(
                List.of(
                    new SetLimits(Scope.ALL, null, DESK),
                    new SetLimits(Scope.ACCOUNT, SetLimits.ANY, ACCOUNT)));
    INSTRUMENTS.forEach(each -> ticks.put(each, 0));
  }

  /// Runs the schedule.
  ///
  /// @throws Violation if an invariant does not hold
  void run() throws IOException {
    Files.createDirectories(config.journal());
    start();
    while (requests < REQUESTS || faults < LEAST_FAULTS) {
      step();
      check();
    }
    // The end: everything works again, and every client asks until it is answered.
    disk.failures = 0;
    settle();
    invariants().requireHistory(orders.values());
    crash();
    start();
    settle();
    invariants().requireHistory(orders.values());
    engine().close();
    JournalReplay.read(
        config.journal(),
        _ -> model,
        _ -> true,
        explained -> {
          if (explained.difference() != null) {
            throw new Violation("explain: " + explained.difference());
          }
        });
  }

  private Engine engine() {
    return Objects.requireNonNull(engine);
  }

  private void start() {
    var parts =
        new EngineParts(
            () -> nanos, disk, ModelWorker.Interference.NONE, () -> wall, (_, _) -> model, true);
    engine = Engine.open(config, Observer.NONE, parts);
    if (engine().route() == null) {
      engine().handle(new Request.Load(TestService.MODEL), _ -> {});
      engine().handle(new Request.SetRoute(Route.to(TestService.MODEL)), _ -> {});
    }
  }

  private void crash() throws IOException {
    engine().abandon();
    disk.crash();
    if (mutation == Mutation.SWITCHES_FORGOTTEN) {
      Files.deleteIfExists(config.journal().resolve("switches"));
    }
  }

  private void step() throws IOException {
    nanos += random.nextLong(3_000_000);
    wall = wall.plusNanos(random.nextLong(3_000_000));
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> send(request());
      case 5, 6, 7, 8, 9, 10, 11 -> deliver();
      case 12, 13, 14 -> {
        var _ = engine().step(Engine.Step.JOURNAL);
      }
      case 15, 16, 17 -> {
        var _ = engine().step(Engine.Step.MODELS);
      }
      case 18 -> {
        var _ = engine().step(Engine.Step.DEADLINES);
      }
      default -> fault();
    }
  }

  private void fault() throws IOException {
    faults++;
    switch (random.nextInt(6)) {
      case 0 -> {
        crash();
        start();
      }
      case 1 -> disk.failures = 1 + random.nextInt(4);
      case 2 -> nanos += 50_000_000; // a pause: deadlines pass
      case 3 -> wall = wall.plusSeconds(random.nextInt(-7_200, 7_200)); // a skewed clock
      case 4 -> {
        if (!network.isEmpty()) {
          network.remove(random.nextInt(network.size())); // lost
        }
      }
      default -> {
        if (!network.isEmpty()) {
          network.add(network.get(random.nextInt(network.size()))); // twice
        }
      }
    }
  }

  private void send(@Nullable Request request) {
    if (request instanceof Request.Switch change && !change.isOff()) {
      mustBeOff = false;
    }
    if (request != null) {
      requests++;
      network.add(new Sent(request, 0));
    }
  }

  /// Delivers any message, so that they overtake each other. Its answer may be lost.
  private void deliver() {
    if (network.isEmpty()) {
      return;
    }
    Sent sent = network.remove(random.nextInt(network.size()));
    boolean isLost = random.nextInt(12) == 0;
    faults += isLost ? 1 : 0;
    handle(sent, isLost);
  }

  private void handle(Sent sent, boolean isLost) {
    if (sent.request() instanceof Request.Switch change && !change.isOff()) {
      switchedOn++;
      mustBeOff = false;
    }
    int before = switchedOn;
    engine()
        .handle(
            sent.request(),
            answer -> {
              if (!isLost) {
                try {
                  answered(sent, answer, before);
                } catch (Violation e) {
                  found = e; // the service survives clients that throw
                }
              }
            });
  }

  private @Nullable Request request() {
    String instrument = INSTRUMENTS.get(random.nextInt(INSTRUMENTS.size()));
    String id = "o" + random.nextInt(6);
    KnownOrder known = orders.get(id);
    return switch (random.nextInt(16)) {
      case 0, 1 -> known == null ? open(id) : known.request;
      case 2, 3, 4, 5 -> {
        int tick = Math.min(ticks.merge(instrument, 1, Integer::sum) + random.nextInt(9), 239);
        ticks.put(instrument, tick);
        yield new Request.Bar(
            instrument,
            TestService.DATE,
            TestService.time(tick),
            TestModels.FIELDS,
            List.of(PRICE, VOLUME));
      }
      case 6, 7, 8, 9 -> new Request.Decide(id, null, 20_000L);
      case 10, 11 ->
          known == null ? null : random.nextInt(3) == 0 ? known.again() : known.fill(random);
      case 12 -> known == null ? null : known.report(random);
      case 13 -> random.nextInt(4) == 0 ? new Request.Cancel(id) : new Request.Look(id);
      case 14 ->
          random.nextInt(4) == 0 && !mustBeOff
              ? new Request.Switch(Scope.ALL, null, true)
              : known == null ? null : known.amend();
      default -> random.nextInt(3) == 0 ? new Request.Switch(Scope.ALL, null, false) : null;
    };
  }

  private Request.OpenOrder open(String id) {
    var request =
        new Request.OpenOrder(
                id,
                INSTRUMENTS.get(Math.floorMod(id.hashCode(), 2)),
                TestService.DATE,
                random.nextBoolean() ? Side.BUY : Side.SELL,
                100 * (1 + random.nextInt(8)),
                TestService.time(0),
                TestService.DATE.atTime(14, 59),
                null,
                random.nextBoolean() ? "x" : "y")
            .withReplaces(replaced(id));
    orders.put(id, new KnownOrder(request));
    return request;
  }

  /// Returns another order of the same instrument to replace, sometimes.
  private @Nullable String replaced(String id) {
    return orders.keySet().stream()
        .filter(each -> (each.hashCode() & 1) == (id.hashCode() & 1) && random.nextInt(4) == 0)
        .findFirst()
        .orElse(null);
  }

  /// @param on how often everything had been switched on when the request was delivered
  private void answered(Sent sent, Answer answer, int on) {
    Request request = sent.request();
    switch (answer) {
      case Answer.Child child -> {
        Answer.Child before = known(child.id()).children.putIfAbsent(child.step(), child);
        if (before != null && !before.equals(child)) {
          throw new Violation("doubled: %s after %s".formatted(child, before));
        }
      }
      case Answer.OrderState state -> {
        known(state.id()).isAcknowledged = true;
        if (request instanceof Request.Fill fill) {
          known(state.id()).acknowledged.put(fill.fillId(), fill);
        }
        if (request instanceof Request.Amend amend
            && !Double.valueOf(state.amount()).equals(amend.amount())) {
          throw new Violation("lost: %s, was %s".formatted(amend, state));
        }
      }
      case Answer.Done(var message) -> {
        if (request instanceof Request.Switch change && change.isOff()) {
          boolean mayBeOn =
              network.stream()
                  .anyMatch(
                      each -> each.request() instanceof Request.Switch other && !other.isOff());
          mustBeOff |= !mayBeOn && on == switchedOn && !message.contains("forget");
        }
      }
      case Answer.Refused(var reason, var message) -> {
        if (reason == Reason.UNAVAILABLE || reason == Reason.OVERLOADED) {
          if (sent.attempts() < 50) {
            network.add(new Sent(request, sent.attempts() + 1));
          }
        } else if (reason == Reason.UNKNOWN || reason == Reason.UNMATCHED) {
          requireNotLost(request, message);
        }
      }
      default -> {}
    }
  }

  private KnownOrder known(String id) {
    return Objects.requireNonNull(orders.get(id));
  }

  private void requireNotLost(Request request, String message) {
    String id =
        switch (request) {
          case Request.Fill fill -> fill.id();
          case Request.Decide decide -> decide.id();
          case Request.Look look -> look.id();
          case Request.Report report -> report.id();
          default -> "";
        };
    KnownOrder known = orders.get(id);
    if (known != null && known.isAcknowledged) {
      throw new Violation("lost: " + message);
    }
  }

  /// Delivers everything and lets every part finish.
  private void settle() throws IOException {
    for (int round = 0; round < 20; round++) {
      orders.values().stream()
          .map(KnownOrder::again)
          .filter(java.util.Objects::nonNull)
          .forEach(each -> network.add(new Sent(each, 0)));
      while (!network.isEmpty()) {
        Sent sent = network.removeFirst();
        handle(sent, false);
        idle();
      }
      idle();
      check();
    }
  }

  private void idle() {
    nanos += 50_000_000;
    for (int i = 0; i < 1_000; i++) {
      boolean hasWorked = engine().step(Engine.Step.MODELS);
      hasWorked |= engine().step(Engine.Step.JOURNAL);
      var _ = engine().step(Engine.Step.DEADLINES);
      if (!hasWorked) {
        return;
      }
    }
    throw new Violation("the service does not come to rest");
  }

  private void check() {
    if (found != null) {
      throw found;
    }
    invariants().requireNow(mustBeOff);
  }

  private Invariants invariants() {
    return new Invariants(engine());
  }
}
