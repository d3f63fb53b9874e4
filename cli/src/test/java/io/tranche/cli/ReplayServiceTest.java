package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.cli.console.ExitCode;
import io.tranche.cli.replay.PatientClient;
import io.tranche.cli.replay.Replay;
import io.tranche.cli.replay.ReplayTally;
import io.tranche.cli.replay.ReplayTarget;
import io.tranche.cli.replay.ServiceDecisions;
import io.tranche.cli.replay.StopRequest;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import io.tranche.serving.client.TrancheClient;
import io.tranche.testkit.Cases;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderReplayListener;
import io.tranche.work.decide.Pace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Replays through a service that comes and goes, without the command line around them.
class ReplayServiceTest {

  private static final long NEVER_LATE_MICROS = 60_000_000;
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir static Path runs;
  @TempDir Path folder;

  private static DecideCase made =
      new DecideCase(Path.of(""), Path.of(""), Path.of(""), Path.of(""));
  private static Path bundle = Path.of("");

  @BeforeAll
  static void make() throws IOException {
    made = DecideCase.in(runs);
    bundle = Files.createDirectory(runs.resolve("models")).resolve("demo@1.tranche");
    Files.copy(made.bundle(), bundle);
  }

  private DecisionServer serve() {
    var node =
        ConfigFiles.parse("test", "{journal: journal, http: {port: 0}, engine: {limits: none}}");
    return DecisionServer.start(DecisionServerConfig.of(List.of(bundle), node, folder), _ -> {});
  }

  private static final class Driven implements OrderReplayListener {

    private final List<OrderDecision> decisions = new ArrayList<>();
    private final ReplayTally tally = new ReplayTally();

    void over(ReplayTarget target, Pace pace, BooleanSupplier goesOn) {
      List<NamedOrder> all =
          OrderFiles.readNamed(made.orders(), LocalTime.of(9, 30), LocalTime.of(15, 0));
      List<LocalDate> dates =
          all.stream()
              .map(each -> each.order().date())
              .distinct()
              .sorted()
              .limit(Cases.count(2, 4))
              .toList();
      List<NamedOrder> orders =
          all.stream().filter(each -> dates.contains(each.order().date())).toList();
      try (target;
          BarSource bars = BarFiles.open(made.bars(), ColumnMapping.DEFAULT)) {
        new Replay(target, orders, tally, this, pace, goesOn).over("bars", bars);
      }
    }

    @Override
    public void decided(OrderDecision decision) {
      decisions.add(decision.withChoice(-1));
    }

    @Override
    public void warned(String warning) {
      throw new AssertionError(warning);
    }
  }

  private static ReplayTarget model() {
    return new ReplayTarget.OfModel("model", LoadedModel.open(bundle));
  }

  private static ReplayTarget service(String url, Duration patience, Runnable retried) {
    var client =
        new PatientClient(
            new TrancheClient(URI.create(url)),
            url,
            patience,
            new StopRequest(),
            _ -> retried.run());
    var manner = new ServiceDecisions.Manner(NEVER_LATE_MICROS, 0, "");
    return new ReplayTarget.OfService(url, client, ServiceDecisions.of(client, manner));
  }

  /// The drill of docs/serving.md: back up a running service, lose it, restore, go on.
  @Test
  void everyDecisionIsExplainedAndABackupIsRestored() throws IOException {
    String journal = folder.resolve("journal").toString();
    String models = String.valueOf(bundle.getParent());
    Answer.Orders before;
    try (var server = serve()) {
      new Driven()
          .over(
              service(server.http().url(), Duration.ofSeconds(30), () -> {}),
              Pace.UNLIMITED,
              () -> false);
      before = (Answer.Orders) server.engine().ask(new Request.ListOrders(null)).join();
      Path backup = Files.createDirectories(folder.resolve("backup"));
      try (var files = Files.newDirectoryStream(folder.resolve("journal"), "*.journal")) {
        for (Path file : files) {
          Files.copy(file, backup.resolve(file.getFileName()));
        }
      }
    }
    Run all = Run.of("journal", "explain", journal, "--models", models);
    assertThat(all.status()).as(all.err()).isEqualTo(ExitCode.OK);
    assertThat(all.out()).containsPattern("[1-9][0-9]* decisions, 0 differ");
    String id = before.states().getFirst().id();
    Run one = Run.of("journal", "explain", journal, id, "--models", models);
    assertThat(one.out())
        .contains(
            "features     {",
            "scores       [",
            "the same, bit for bit",
            "asked by client@127.0.0.1");
    Run none = Run.of("journal", "explain", journal, "nobody", "--models", models);
    assertThat(none.status()).isEqualTo(ExitCode.DATA);
    assertThat(none.err()).contains("expected a decision of order nobody, was none");

    Files.move(folder.resolve("journal"), folder.resolve("lost"));
    String backup = folder.resolve("backup").toString();
    Run restored = Run.of("journal", "restore", backup, journal);
    assertThat(restored.status()).as(restored.err()).isEqualTo(ExitCode.OK);
    assertThat(Run.of("journal", "restore", backup, journal).status()).isEqualTo(ExitCode.DATA);
    try (var server = serve()) {
      assertThat(server.engine().ask(new Request.ListOrders(null)).join()).isEqualTo(before);
    }
  }

  @Test
  void goesOnWithAServiceThatIsKilledAndStartedAgain() throws Exception {
    var expected = new Driven();
    expected.over(model(), Pace.UNLIMITED, () -> false);
    var driven = new Driven();
    var retries = new AtomicInteger();
    var service = new AtomicReference<>(ServiceProcess.start(folder, bundle));
    var starting = new AtomicReference<>(CompletableFuture.completedFuture(0));
    try (var relay = new Relay(service.get().port())) {
      var ticks = new AtomicInteger();
      Pace killing =
          _ -> {
            if (ticks.incrementAndGet() % 61 == 0 && ticks.get() <= 61 * Cases.count(1, 3)) {
              starting.get().join();
              service.get().close();
              starting.set(
                  CompletableFuture.supplyAsync(
                      () -> {
                        service.set(ServiceProcess.start(folder, bundle));
                        relay.leadTo(service.get().port());
                        return service.get().port();
                      }));
            }
            return true;
          };

      driven.over(service(relay.url(), LONG, retries::incrementAndGet), killing, () -> false);

      assertThat(retries.get()).isPositive();
      assertThat(driven.decisions).isEqualTo(expected.decisions);
    } finally {
      starting.get().join();
      service.get().close();
    }
  }

  @Test
  void aServiceThatStaysAwayEndsItWithOneMessage() throws IOException {
    var driven = new Driven();
    try (var server = serve();
        var relay = new Relay(URI.create(server.http().url()).getPort())) {
      var ticks = new AtomicInteger();
      Runnable leave = server::close;
      Pace leaving =
          _ -> {
            if (ticks.incrementAndGet() == 20) {
              leave.run();
            }
            return true;
          };

      assertThatThrownBy(
              () ->
                  driven.over(
                      service(relay.url(), Duration.ofMillis(50), () -> {}), leaving, () -> false))
          .isInstanceOf(DataException.class)
          .hasMessageStartingWith(relay.url() + ": expected a service that answers within ");
      assertThat(driven.decisions).isNotEmpty();
    }
  }

  @Test
  void everyPassIsLikeTheFirst() throws IOException {
    try (var server = serve()) {
      for (ReplayTarget target : List.of(model(), service(server.http().url(), LONG, () -> {}))) {
        var driven = new Driven();
        var passes = new AtomicInteger(1);

        driven.over(target, Pace.UNLIMITED, () -> passes.incrementAndGet() <= 3);

        int each = driven.decisions.size() / 3;
        assertThat(driven.decisions.subList(each, 2 * each))
            .isEqualTo(driven.decisions.subList(0, each))
            .isEqualTo(driven.decisions.subList(2 * each, 3 * each));
        assertThat(new ReplayTally.Table("x", driven.tally).figures()).containsEntry("passes", 3);
      }
    }
  }
}
