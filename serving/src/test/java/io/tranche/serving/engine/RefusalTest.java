package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.ServiceConfig.ClockRules;
import io.tranche.serving.TestModels;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A refused request changes nothing, however far its date and however wrong its values.
class RefusalTest {

  private static final List<String> OHLC = List.of("open", "high", "low", "close", "volume");

  @TempDir Path folder;

  private TestService open(UnaryOperator<ServiceConfig> change) {
    return TestService.open(folder, change, EngineParts.REAL);
  }

  /// Returns the same order under another date, with the window of the old one.
  private static Request.OpenOrder dated(LocalDate date, Request.OpenOrder order) {
    return new Request.OpenOrder(
        order.id(),
        order.instrument(),
        date,
        order.side(),
        order.amount(),
        order.start(),
        order.end(),
        order.model());
  }

  @Test
  void farDatesDoNotEndToday() {
    try (var service = TestService.open(folder)) {
      service.state(TestService.order("live1", "A", 1_000));
      for (int year : List.of(2027, 2028, 2029)) {
        LocalDate far = LocalDate.of(year, 3, 3);
        service.refused(dated(far, TestService.order("far" + year, "A", 1_000)));
        assertThat(
                service.ask(
                    new Request.Bar(
                        "A", far, TestService.time(0), TestModels.FIELDS, List.of(10f, 100f))))
            .isEqualTo(new Answer.BarTaken(BarAnswer.OUTSIDE));
      }
      assertThat(service.look("live1").remaining()).isEqualTo(1_000);
      service.bars("A", 0, 3);
      assertThat(
              service
                  .refused(TestService.on(LocalDate.of(2027, 3, 3), TestService.order("x", "A", 1)))
                  .message())
          .isEqualTo("day of A must be at most 2026-03-18, by the session clock, was 2027-03-03");
      assertThat(service.engine.counters().bars(BarAnswer.OUTSIDE).sum()).isEqualTo(3);
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("live1").remaining()).isEqualTo(1_000);
      assertThat(service.ask(TestService.bar("A", 3)))
          .isEqualTo(new Answer.BarTaken(BarAnswer.TAKEN));
    }
  }

  @Test
  void aDayWithOpenOrdersDoesNotEndByItself() {
    try (var service = TestService.open(folder)) {
      service.state(TestService.order("live", "A", 1_000));
      for (int day = 1; day < 4; day++) {
        LocalDate date = TestService.DATE.plusDays(day);
        var next = TestService.on(date, TestService.order("next" + day, "A", 1));
        if (day == 1) {
          service.state(next);
        } else {
          assertThat(service.refused(next).message())
              .contains("must wait until A 2026-03-03 is ended")
              .endsWith("was open with 1 orders");
        }
      }
      assertThat(service.look("live").remaining()).isEqualTo(1_000);
      service.state(new Request.Cancel("live"));
      service.state(
          TestService.on(TestService.DATE.plusDays(2), TestService.order("next2", "A", 1)));
    }
  }

  @Test
  void refusedOrdersUseUpNoInstruments() {
    var bounds =
        ServiceConfig.Bounds.DEFAULT
            .withWorkers(1, 100)
            .withMost(100, 3)
            .withStallMicros(60_000_000);
    try (var service = open(config -> config.withBounds(bounds))) {
      for (int i = 0; i < 20; i++) {
        Answer.Refused refused =
            service.refused(
                dated(LocalDate.of(2027, 1, 4), TestService.order("o" + i, "I" + i, 1)));
        assertThat(refused.reason()).isEqualTo(Answer.Reason.INVALID);
      }
      service.state(TestService.order("a", "A", 1));
      service.done(new Request.EndDays("A", TestService.DATE));
      for (String each : List.of("B", "C", "D")) {
        service.state(TestService.order(each, each, 1));
      }
    }
  }

  @Test
  void aBarFromHoursAheadDoesNotExpireOrders() {
    try (var service = open(config -> config.withClock(ClockRules.DEFAULT))) {
      service.state(TestService.order("a", "A", 1_000));
      service.bars("A", 0, 2);

      assertThat(service.refused(TestService.bar("A", 235)).message())
          .isEqualTo(
              "time of a bar of A 2026-03-03 must be at most 2026-03-03T10:32,"
                  + " by the session clock, was 2026-03-03T14:55");
      assertThat(service.decide("a").step()).isZero();
      // Where the other instruments are, one that did not trade may follow.
      service.bars("B", 0, 200);
      assertThat(service.ask(TestService.bar("A", 210)))
          .isEqualTo(new Answer.BarTaken(BarAnswer.TAKEN));
    }
  }

  @Test
  void theWallClockBoundsDatesAndBars() {
    ZoneId zone = ZoneId.of("Asia/Shanghai");
    LocalDate today = LocalDate.now(zone);
    try (var service = open(config -> config.withClock(new ClockRules(zone, 3, 60)))) {
      for (int days : List.of(-40, -2, 4, 400)) {
        assertThat(
                service
                    .refused(TestService.on(today.plusDays(days), TestService.order("a", "A", 1)))
                    .message())
            .contains("by the session clock");
      }
      service.state(TestService.on(today.plusDays(2), TestService.order("a", "A", 1)));
      assertThat(
              service.refused(TestService.on(today.plusDays(2), TestService.bar("A", 0))).message())
          .startsWith("time of a bar of A");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10 | 10.2 | 9.9 | -7 | 100 | close of A at 2026-03-03T09:31 must be in (0, 1e9], was -7.0
          10 | 10.2 | 9.9 | 0 | 100 | close of A at 2026-03-03T09:31 must be in (0, 1e9], was 0.0
          10 | 9.8 | 9.9 | 9.9 | 100 | high of A at 2026-03-03T09:31 must be at least low, 9.9, was 9.8
          10 | 10.2 | 9.9 | 10.3 | 100 | close of A at 2026-03-03T09:31 must be in [low, high], [9.9, 10.2], was 10.3
          100 | 100 | 100 | 100 | 100 | open of A at 2026-03-03T09:31 must be within a factor of 10 of the close before, 10.0, was 100.0
          1 | 1 | 1 | 1 | 100 | open of A at 2026-03-03T09:31 must be within a factor of 10 of the close before, 10.0, was 1.0
          1e30 | 1e30 | 1e30 | 1e30 | 100 | open of A at 2026-03-03T09:31 must be in (0, 1e9], was 1.0E30
          10 | 10 | 10 | 10 | 1e30 | volume of A at 2026-03-03T09:31 must be in [0, 1e15], was 1.0E30
          10 | 10 | 10 | 10 | -1 | volume of A at 2026-03-03T09:31 must be in [0, 1e15], was -1.0
          """)
  void wrongValuesAreRefusedWithTheRule(
      float first, float high, float low, float close, float volume, String message) {
    var limits =
        RiskLimits.NONE
            .with(Limit.PARTICIPATION, 0.5)
            .with(Limit.PARTICIPATION_BARS, 30)
            .with(Limit.BAND_BPS, 100.0);
    try (var service = open(config -> config.withLimits(limits))) {
      var sound = List.of(10f, 10f, 10f, 10f, 100f);
      service.ask(new Request.Bar("A", TestService.DATE, TestService.time(0), OHLC, sound));
      var wrong =
          new Request.Bar(
              "A",
              TestService.DATE,
              TestService.time(1),
              OHLC,
              List.of(first, high, low, close, volume));

      assertThat(service.refused(wrong).message()).isEqualTo(message);
      assertThat(
              service.ask(new Request.Bar("A", TestService.DATE, TestService.time(1), OHLC, sound)))
          .isEqualTo(new Answer.BarTaken(BarAnswer.TAKEN));
    }
  }

  @Test
  void contradictingAndLateBarsAreCounted() {
    try (var service = TestService.open(folder)) {
      service.ask(TestService.bar("A", 5));
      service.ask(TestService.bar("A", 3));
      service.ask(
          new Request.Bar(
              "A", TestService.DATE, TestService.time(5), TestModels.FIELDS, List.of(1f, 1f)));

      assertThat(service.engine.counters().bars(BarAnswer.LATE).sum()).isEqualTo(1);
      assertThat(service.engine.counters().bars(BarAnswer.CONTRADICTING).sum()).isEqualTo(1);
    }
  }
}
