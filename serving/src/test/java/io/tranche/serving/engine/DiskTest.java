package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tranche.market.BarTime;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.ForwardingFile;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.journal.Records;
import io.tranche.serving.model.ModelWorker;
import io.tranche.testkit.TestProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks that are full and disks that do not answer.
class DiskTest {

  /// The default, but with only half a second for a disk.
  private static final ServiceConfig.Bounds IMPATIENT =
      ServiceConfig.Bounds.DEFAULT.withStallMicros(500_000);

  @TempDir Path folder;

  private volatile CountDownLatch stall = new CountDownLatch(0);
  private volatile long forceMillis;

  private JournalFile open(Path path) throws IOException {
    return new ForwardingFile(JournalFile.open(path)) {
      @Override
      public void force() throws IOException {
        Waiting.on(stall);
        try {
          TimeUnit.MILLISECONDS.sleep(forceMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        super.force();
      }
    };
  }

  private EngineParts slow() {
    return new EngineParts(System::nanoTime, this::open, ModelWorker.Interference.NONE);
  }

  @Test
  void aFullDiskIsRefusedAndNothingIsLostOnceItIsNot() {
    var disk = new LimitedDisk();
    var parts = new EngineParts(System::nanoTime, disk::open, ModelWorker.Interference.NONE);
    Answer.OrderState known;
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.ask(TestService.order("a", "A", 800));
      service.bars("A", 0, 5);
      Answer.Child child = service.decide("a");
      disk.limit(disk.written() + 10);

      assertThat(service.refused(TestService.order("b", "A", 800)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
      assertThat(service.refused(TestService.order("c", "A", 800)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
      assertThat(service.refused(TestService.bar("A", 5)).reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(service.engine.failure()).isNotNull();
      // What is durable can still be seen.
      assertThat(service.ask(new Request.Decide("a", 0, null))).isEqualTo(child);
      known = service.look("a");

      disk.limit(Long.MAX_VALUE);
      Waiting.until(() -> service.engine.failure() == null);
      assertThat(service.ask(TestService.order("b", "A", 800)))
          .isInstanceOf(Answer.OrderState.class);
      service.bars("A", 5, 8);
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("a")).isEqualTo(known);
      assertThat(service.look("b").remaining()).isEqualTo(800);
      assertThat(service.refused(new Request.Look("c")).reason()).isEqualTo(Reason.UNKNOWN);
    }
  }

  @Test
  void aDecisionThatCouldNotBeWrittenIsTakenAgain() {
    var disk = new LimitedDisk();
    var engine = new AtomicReference<Engine>();
    var isToFail = new AtomicBoolean();
    var next = new AtomicInteger();
    ModelWorker.Interference interference =
        (_, _) -> {
          if (isToFail.getAndSet(false)) {
            disk.limit(disk.written());
            engine.get().ask(TestService.bar("Z", next.getAndIncrement())).join(); // in vain
          }
        };
    var parts = new EngineParts(System::nanoTime, disk::open, interference);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      engine.set(service.engine);
      var runtime =
          new DecisionRuntime(
              Objects.requireNonNull(service.engine.model(TestService.MODEL), "loaded"));
      LiveDay day = runtime.openDay("A", TestService.DATE, List.of());
      Request.OpenOrder request = TestService.order("a", "A", 800);
      LiveOrder order = day.openOrder("a", request.side(), 800, request.start(), request.end());
      service.ask(request);
      for (int tick = 0; tick < 239; tick++) {
        if (order.isDue()) {
          isToFail.set(true);
          assertThat(service.refused(new Request.Decide("a", null, TestService.PATIENT)).reason())
              .isEqualTo(Reason.UNAVAILABLE);
          disk.limit(Long.MAX_VALUE);
          Waiting.until(() -> service.engine.failure() == null);
          // What the model saw the first time must leave no trace.
          if (order.working() > 0) {
            double part = order.working() / 2;
            order.fill(part, 10);
            service.state(new Request.Fill("a", "f" + tick, part, 10));
          }

          assertThat(service.decide("a").volume()).isEqualTo(order.decide());
        }
        Request.Bar bar = TestService.bar("A", tick);
        service.ask(bar);
        day.bar(BarTime.of(bar.time()), new float[] {bar.values().get(0), bar.values().get(1)});
      }
      assertThat(service.look("a").remaining()).isEqualTo(order.remaining()).isLessThan(800);
    }
  }

  @Test
  void nothingUnwrittenIsThereAfterACrashOnAFullDisk() {
    var disk = new LimitedDisk();
    var parts = new EngineParts(System::nanoTime, disk::open, ModelWorker.Interference.NONE);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.ask(TestService.order("a", "A", 800));
      disk.limit(disk.written() + 40);
      service.refused(TestService.order("b", "A", 800));
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("a").remaining()).isEqualTo(800);
      assertThat(service.refused(new Request.Look("b")).reason()).isEqualTo(Reason.UNKNOWN);
    }
  }

  @Test
  void nobodyWaitsForADiskThatDoesNotAnswer() throws InterruptedException {
    try (var service = TestService.open(folder, config -> config.withBounds(IMPATIENT), slow())) {
      service.state(TestService.order("a", "A", 800));
      service.bars("A", 0, 5);
      Answer.OrderState durable = service.look("a");
      stall = new CountDownLatch(1);

      var decide = new Request.Decide("a", 0, 1_000L);
      for (Request request :
          List.of(decide, TestService.order("b", "A", 800), TestService.bar("A", 5))) {
        assertThat(service.refused(request).reason()).isEqualTo(Reason.UNAVAILABLE);
      }
      assertThat(service.engine.failure()).isEqualTo("the disk does not answer");
      Waiting.untilCount(service.engine.counters().journalFailures, 1);
      stall.countDown();
      Waiting.until(() -> service.engine.failure() == null);

      // The decision was taken before it could be made durable, and is the same ever after.
      Answer child = service.ask(decide);
      assertThat(child).isInstanceOf(Answer.Child.class).isEqualTo(service.ask(decide));
      service.state(TestService.order("b", "A", 800));
      service.bars("A", 5, 6);
      assertThat(durable.remaining()).isEqualTo(service.look("a").remaining());
      Records.assertFaithful(service, folder.resolve("journal"));
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.openOrders()).isEqualTo(2);
    }
  }

  @Test
  void answersThatTheDiskMakesLateAreCounted() {
    try (var service = TestService.open(folder, UnaryOperator.identity(), slow())) {
      service.state(TestService.order("a", "A", 800));
      assertThat(service.engine.counters().lateAnswers.sum()).isZero();
      forceMillis = 20;

      assertThat(service.ask(new Request.Decide("a", 0, 2_000L))).isInstanceOf(Answer.Child.class);
      Waiting.untilCount(service.engine.counters().lateAnswers, 1);
    }
  }

  @Test
  void aFileSystemThatIsReallyFullLosesNothing() throws Exception {
    Path journal = Files.createDirectories(folder.resolve("journal"));
    var mounting =
        List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o size=256k none \"$0\" && exec \"$@\"",
            journal.toString());
    assumeTrue(run(mounting, List.of("true")).equals("0 "), "file systems can be mounted here");
    var program = new ArrayList<>(TestProcess.command("serving", FullDisk.class));
    program.add(folder.toString());

    assertThat(run(mounting, program)).endsWith("done\n").startsWith("0 ");
  }

  /// Returns the exit code and the output.
  private static String run(List<String> mounting, List<String> program)
      throws InterruptedException {
    var command = new ArrayList<>(mounting);
    command.addAll(program);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() + " " + said;
    } catch (IOException _) {
      return "there is no " + mounting.getFirst();
    }
  }
}
