package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Limit;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.Request.SetLimits;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.TestModels;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.model.ModelWorker;
import io.tranche.serving.risk.Exposure;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits of everything, accounts and instruments, ahead of every order and child order.
class RiskGateTest {

  @TempDir Path folder;

  private final AtomicLong nanos = new AtomicLong();

  /// The model fails, so that the wish is TWAP's: an eighth of the order.
  private static final ModelWorker.Interference BROKEN =
      (_, _) -> {
        throw new IllegalStateException("broken");
      };

  private TestService open(SetLimits... limits) {
    return open(UnaryOperator.identity(), EngineParts.REAL, limits);
  }

  private TestService open(
      UnaryOperator<ServiceConfig> change, EngineParts parts, SetLimits... limits) {
    return TestService.open(
        folder,
        config -> change.apply(config.withCancelsAwaited(true).withLimits(List.of(limits))),
        new EngineParts(parts.ticker(), JournalFile::open, BROKEN, parts.wall()));
  }

  private static SetLimits all(Limit limit, double value) {
    return new SetLimits(Scope.ALL, null, RiskLimits.of(limit, value));
  }

  private static Request.OpenOrder order(
      String id, String instrument, Side side, double amount, String account) {
    return new Request.OpenOrder(
        id,
        instrument,
        TestService.DATE,
        side,
        amount,
        TestService.time(0),
        TestService.DATE.atTime(14, 59),
        null,
        account);
  }

  private static Request.Bar bar(String instrument, int tick, float close) {
    return new Request.Bar(
        instrument,
        TestService.DATE,
        TestService.time(tick),
        TestModels.FIELDS,
        List.of(close, 1_000f));
  }

  private static void requireRisk(TestService service, Request request, Limit limit) {
    Answer.Refused refused = service.refused(request);
    assertThat(refused.reason()).isEqualTo(Reason.RISK);
    assertThat(refused.message()).contains("(" + limit.key() + ")");
    assertThat(service.notices)
        .anyMatch(each -> each.kind() == Kind.RISK && each.message().equals(refused.message()));
  }

  @Test
  void valuesNeedAPriceAndAreBounded() {
    try (var service = open(all(Limit.ORDER_VALUE, 5_000))) {
      requireRisk(service, order("a", "A", Side.BUY, 100, "x"), Limit.ORDER_VALUE); // no price
      service.ask(new Request.Reference("A", TestService.DATE, 10));
      requireRisk(service, order("a", "A", Side.BUY, 501, "x"), Limit.ORDER_VALUE);
      service.state(order("a", "A", Side.BUY, 500, "x"));
      assertThat(service.refused(new Request.Amend("a", 600.0, null)).reason())
          .isEqualTo(Reason.RISK);
    }
  }

  @Test
  void childrenAreBoundedByValueLotAndCollar() {
    var limits =
        new SetLimits(
            Scope.INSTRUMENT,
            "*",
            RiskLimits.of(Limit.CHILD_VALUE, 755).with(Limit.LOT, 10).with(Limit.COLLAR_BPS, 100));
    try (var service = open(limits)) {
      service.state(order("a", "A", Side.BUY, 800, "x"));
      service.ask(bar("A", 0, 10));
      Answer.Child blind = service.decide("a");
      assertThat(blind.volume()).isZero();
      assertThat(blind.limited()).isEqualTo("collar_bps");

      service.ask(new Request.Reference("A", TestService.DATE, 10));
      for (int tick = 1; tick < 30; tick++) {
        service.ask(bar("A", tick, 10));
      }
      Answer.Child child = service.decide("a");
      assertThat(child.volume()).isEqualTo(70); // 75 of 10 each, in lots of 10
      assertThat(child.limited()).isEqualTo("lot");

      for (int tick = 30; tick < 60; tick++) {
        service.ask(bar("A", tick, 10.2f));
      }
      assertThat(service.decide("a").limited()).isEqualTo("collar_bps");
    }
  }

  @Test
  void exposureIsHeldForInstrumentAccountAndDeskAlsoAfterARestart() {
    SetLimits[] limits = {
      all(Limit.GROSS_VALUE, 3_500),
      new SetLimits(Scope.ACCOUNT, "*", RiskLimits.of(Limit.NET_VALUE, 2_000)),
      new SetLimits(Scope.INSTRUMENT, "B", RiskLimits.of(Limit.GROSS_VALUE, 500)),
    };
    try (var service = open(limits)) {
      for (String instrument : List.of("A", "B", "C")) {
        service.ask(bar(instrument, 0, 10));
      }
      service.state(order("a", "A", Side.BUY, 1_200, "x"));
      service.state(order("b", "B", Side.BUY, 1_200, "y"));
      service.state(order("c", "C", Side.BUY, 1_200, "x"));
      service.state(order("d", "C", Side.SELL, 1_600, "x"));
      assertThat(service.decide("a").volume()).isEqualTo(150);
      Answer.Child b = service.decide("b");
      assertThat(b.volume()).isEqualTo(50);
      assertThat(b.limited()).isEqualTo("gross_value");
      Answer.Child c = service.decide("c");
      assertThat(c.volume()).isEqualTo(50); // x has 1,500 of 2,000 out
      assertThat(c.limited()).isEqualTo("net_value");
    }
    try (var service = open(limits)) {
      Answer.Child d = service.decide("d");
      assertThat(d.volume()).isEqualTo(100); // all together have 2,500 of 3,500
      assertThat(d.limited()).isEqualTo("gross_value");
    }
  }

  @Test
  void duplicatesCrossingAndExecutionsAreBounded() {
    var limits =
        new SetLimits(
            Scope.ALL,
            null,
            RiskLimits.of(Limit.DUPLICATES, 0).with(Limit.CROSSING, 0).with(Limit.EXECUTIONS, 2));
    try (var service = open(limits)) {
      service.state(order("a", "A", Side.BUY, 800, "x"));
      requireRisk(service, order("b", "A", Side.BUY, 800, "x"), Limit.DUPLICATES);
      requireRisk(service, order("c", "A", Side.SELL, 700, "y"), Limit.CROSSING);
      service.state(order("d", "A", Side.BUY, 900, "x"));
      service.state(order("e", "B", Side.SELL, 800, "x"));
      service.decide("a");
      service.decide("d");
      Answer.Child third = service.decide("e");
      assertThat(third.volume()).isZero();
      assertThat(third.limited()).isEqualTo("executions");
      service.done(limits); // an operator looks, and goes on
      service.bars("B", 0, 30);
      assertThat(service.decide("e").volume()).isPositive();
    }
  }

  @Test
  void messagesAreThrottled() {
    var parts = new EngineParts(nanos::get, JournalFile::open, ModelWorker.Interference.NONE);
    var limits = new SetLimits(Scope.ACCOUNT, "x", RiskLimits.of(Limit.MESSAGES_PER_SECOND, 2));
    try (var service = open(UnaryOperator.identity(), parts, limits)) {
      service.state(order("a", "A", Side.BUY, 800, "x"));
      service.state(order("b", "B", Side.BUY, 800, "x"));
      requireRisk(service, order("c", "C", Side.BUY, 8, "x"), Limit.MESSAGES_PER_SECOND);
      service.state(order("c", "C", Side.BUY, 8, "y"));
      nanos.addAndGet(1_000_000_000);
      service.state(order("d", "D", Side.BUY, 8, "x"));
    }
  }

  @Test
  void haltsClosedDatesAndOldBarsStopTrading() {
    var now = new AtomicReference<>(TestService.time(5).toInstant(ZoneOffset.UTC));
    var parts = new EngineParts(System::nanoTime, JournalFile::open, BROKEN, () -> now.get());
    try (var service =
        open(
            config -> config.withClock(new ServiceConfig.ClockRules(ZoneOffset.UTC, 15, 60)),
            parts,
            all(Limit.BAR_AGE_SECONDS, 120))) {
      for (String id : List.of("A", "B", "C", "D")) {
        service.ask(bar(id, 4, 10));
        service.state(order(id, id, Side.BUY, 800, "x"));
      }
      service.done(new Request.Halt("A", TestService.DATE, true));
      assertThat(service.decide("A").limited()).isEqualTo("halted");
      now.set(now.get().plusSeconds(119));
      assertThat(service.decide("B").volume()).isPositive();
      now.set(now.get().plusSeconds(60));
      assertThat(service.decide("C").limited()).isEqualTo("bar_age_seconds");
      now.set(TestService.DATE.atTime(15, 30).toInstant(ZoneOffset.UTC));
      assertThat(service.decide("D").limited()).isEqualTo("closed");
      assertThat(Instant.EPOCH).isBefore(now.get());
    }
    try (var service =
        TestService.open(
            folder.resolve("closed"),
            config ->
                config.withRules(
                    new ServiceConfig.Rules(
                        config.rollback(),
                        config.drift(),
                        config.clock(),
                        ServiceConfig.KEPT,
                        false,
                        true,
                        new ServiceConfig.TradingDates(java.util.Set.of(TestService.DATE), false),
                        ServiceConfig.Trust.DEFAULT)),
            EngineParts.REAL)) {
      assertThat(service.refused(order("a", "A", Side.BUY, 8, "x")).message())
          .isEqualTo("day of A must be a trading day, was 2026-03-03");
    }
  }

  @Test
  void operatorsChangeLimitsAndTheChangeSurvives() {
    try (var service = open(all(Limit.SLICE, 70))) {
      service.state(order("a", "A", Side.BUY, 800, "x"));
      assertThat(service.decide("a").volume()).isEqualTo(70);
      service.done(all(Limit.SLICE, 60));
      service.done(new SetLimits(Scope.ACCOUNT, "x", RiskLimits.of(Limit.SLICE, 50)));
    }
    try (var service = open(all(Limit.SLICE, 70))) {
      assertThat(service.ask(new Request.ListLimits()))
          .isEqualTo(
              new Answer.LimitsInForce(
                  List.of(
                      all(Limit.SLICE, 60),
                      new SetLimits(Scope.ACCOUNT, "x", RiskLimits.of(Limit.SLICE, 50)))));
      service.state(new Request.Report("a", 0, io.tranche.serving.Phase.DONE));
      service.bars("A", 0, 30);
      assertThat(service.decide("a").volume()).isEqualTo(50);
      service.done(new SetLimits(Scope.ALL, null, RiskLimits.NONE));
      assertThat(service.ask(new Request.ListLimits()).toString()).contains("SLICE=70.0");
    }
  }

  @Test
  void anOrderThatIsDecidedAfterItsDayLeavesNothingInTheBook() throws Exception {
    var isHeld = new AtomicBoolean();
    var isAsked = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    ModelWorker.Interference late =
        (_, _) -> {
          if (isHeld.get()) {
            isAsked.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
          throw new IllegalStateException("broken");
        };
    var parts = new EngineParts(System::nanoTime, JournalFile::open, late);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.state(order("a", "A", Side.BUY, 800, "x"));
      service.state(order("b", "B", Side.BUY, 800, "x"));
      service.ask(bar("A", 0, 10));
      int step = service.decide("a").step();
      service.state(new Request.Fill("a", "f", step, 10, 10));
      for (int tick = 1; tick <= 30; tick++) {
        service.ask(bar("A", tick, 10));
      }
      isHeld.set(true);
      var answer = service.engine.ask(new Request.Decide("a", null, TestService.PATIENT));
      isAsked.await();
      service.done(new Request.EndDays("A", TestService.DATE));
      goOn.countDown();

      assertThat(answer.get(60, TimeUnit.SECONDS)).isInstanceOf(Answer.Refused.class);
      for (String each : List.of("", "x")) {
        Scope scope = each.isEmpty() ? Scope.ALL : Scope.ACCOUNT;
        assertThat(service.engine.core().ledger().book().of(scope, each)).isEqualTo(Exposure.NONE);
      }
    }
  }
}
