package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.BarTime;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Request;
import io.tranche.serving.TestModels;
import io.tranche.serving.Waiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {

  @TempDir Path folder;

  @Test
  void decidesAsTheRuntimeDoesToTheLastBit() {
    try (var service = TestService.open(folder)) {
      LoadedModel model = Objects.requireNonNull(service.engine.model(TestService.MODEL));
      var runtime = new DecisionRuntime(model);
      LiveDay day = runtime.openDay("A", TestService.DATE, List.of());
      var volumes = new HashSet<Double>();
      for (int i = 0; i < 4; i++) {
        Request.OpenOrder order = TestService.order("o" + i, "A", 1_000 + i);
        service.state(order);
        day.openOrder(order.id(), order.side(), order.amount(), order.start(), order.end());
      }

      for (int tick = 0; tick < 240; tick++) {
        for (LiveOrder order : runtime.orders()) {
          // One of them misses a decision, and one is late.
          boolean isAsked = !(order.id().equals("o1") && tick >= 60 && tick < 90);
          if (order.isDue() && isAsked && !(order.id().equals("o2") && tick == 90)) {
            double volume = order.decide();
            volumes.add(volume / order.order().amount());

            assertThat(service.decide(order.id()))
                .isEqualTo(
                    new Answer.Child(
                        order.id(), order.step() - 1, volume, null, Source.MODEL, null));
            if (volume > 0) {
              order.fill(volume / 2, 10);
              service.state(new Request.Fill(order.id(), "f" + tick, volume / 2, 10));
            }
          }
        }
        Request.Bar bar = TestService.bar("A", tick);
        service.ask(bar);
        day.bar(BarTime.of(bar.time()), new float[] {bar.values().get(0), bar.values().get(1)});
      }

      assertThat(volumes).hasSizeGreaterThan(3);
      for (LiveOrder order : runtime.orders()) {
        Answer.OrderState state = service.look(order.id());
        assertThat(state.remaining()).isEqualTo(order.remaining());
        assertThat(state.averagePrice()).isEqualTo(order.averagePrice());
        assertThat(state.nextStep()).isEqualTo(8);
      }
    }
  }

  @Test
  void theSameAgainGetsTheSameAnswer() {
    try (var service = TestService.open(folder)) {
      Request.OpenOrder order = TestService.order("a", "A", 1_000);

      assertThat(service.ask(order)).isEqualTo(service.ask(order));
      assertThat(service.ask(TestService.bar("A", 0)))
          .isEqualTo(new Answer.BarTaken(BarAnswer.TAKEN));
      assertThat(service.ask(TestService.bar("A", 0)))
          .isEqualTo(new Answer.BarTaken(BarAnswer.REPEATED));
      Answer.Child child = service.decide("a");
      assertThat(service.ask(new Request.Decide("a", 0, null))).isEqualTo(child);
      service.bars("A", 1, 31);
      Answer.Child next = untilSome(service, "a");
      var fill = new Request.Fill("a", "f", next.volume(), 10);
      assertThat(service.ask(fill)).isEqualTo(service.ask(fill));
      assertThat(service.ask(new Request.Decide("a", 0, null))).isEqualTo(child);
      assertThat(service.state(new Request.Cancel("a")).status()).isEqualTo(Status.CANCELLED);
      assertThat(service.state(new Request.Cancel("a")).status()).isEqualTo(Status.CANCELLED);
    }
  }

  private static Answer.Child untilSome(TestService service, String id) {
    for (int tick = 31; ; tick++) {
      if (service.look(id).isDue()) {
        Answer.Child child = service.decide(id);
        if (child.volume() > 0) {
          return child;
        }
      }
      service.bars("A", tick, tick + 1);
    }
  }

  @Test
  void theSameIdWithOtherContentsIsAConflict() {
    try (var service = TestService.open(folder)) {
      service.ask(TestService.order("a", "A", 1_000));
      service.bars("A", 0, 1);
      Answer.Child child = untilSomeFrom(service);
      service.state(new Request.Fill("a", "f", child.volume() / 2, 10));

      var refusals =
          List.of(
              service.refused(TestService.order("a", "A", 1_001)),
              service.refused(TestService.order("a", "B", 1_000)),
              service.refused(new Request.Fill("a", "f", child.volume() / 4, 10)),
              service.refused(
                  new Request.OpenDay(
                      "A",
                      TestService.DATE,
                      List.of(
                          new Request.EarlierDay(
                              TestService.DATE.minusDays(1),
                              List.of(
                                  new Request.Bar(
                                      "A",
                                      TestService.DATE.minusDays(1),
                                      TestService.DATE.minusDays(1).atTime(9, 30),
                                      List.of("close_1", "volume_1"),
                                      List.of(1f, 1f))))))));

      assertThat(refusals).extracting(Answer.Refused::reason).containsOnly(Reason.CONFLICT);
      Waiting.untilCount(service.engine.counters().refusals(Reason.CONFLICT), 4);
    }
  }

  private static Answer.Child untilSomeFrom(TestService service) {
    for (int tick = 1; ; tick++) {
      if (service.look("a").isDue()) {
        Answer.Child child = service.decide("a");
        if (child.volume() > 0) {
          return child;
        }
      }
      service.bars("A", tick, tick + 1);
    }
  }

  @Test
  void refusesWhatCannotBeAndChangesNothing() {
    try (var service = TestService.open(folder)) {
      service.ask(TestService.order("a", "A", 1_000));
      var reasons = new ArrayList<Reason>();
      for (Request request :
          List.of(
              new Request.Look("nobody"),
              new Request.Decide("nobody", null, null),
              TestService.order("b", "A", 1_000, "other@1"),
              TestService.order("b", "A", -1),
              TestService.order("b", "A", Double.NaN),
              TestService.order("", "A", 1),
              TestService.order("x".repeat(201), "A", 1),
              new Request.Fill("a", "f", 0, 10),
              new Request.Decide("a", 3, null),
              new Request.Decide("a", null, -1L),
              new Request.Bar(
                  "A", TestService.DATE, TestService.time(0), List.of("close"), List.of(1f)),
              new Request.Bar(
                  "A",
                  TestService.DATE,
                  TestService.time(0),
                  TestModels.FIELDS,
                  List.of(1f, Float.POSITIVE_INFINITY)))) {
        reasons.add(service.refused(request).reason());
      }

      assertThat(reasons)
          .containsExactly(
              Reason.UNKNOWN,
              Reason.UNKNOWN,
              Reason.UNKNOWN,
              Reason.INVALID,
              Reason.INVALID,
              Reason.INVALID,
              Reason.INVALID,
              Reason.INVALID,
              Reason.NOT_DUE,
              Reason.INVALID,
              Reason.INVALID,
              Reason.INVALID);
      assertThat(service.engine.openOrders()).isEqualTo(1);
      assertThat(service.look("a").remaining()).isEqualTo(1_000);
    }
  }

  @Test
  void goesOnAfterARestartWhereItWas() {
    var before = new ArrayList<Answer>();
    try (var service = TestService.open(folder)) {
      for (int i = 0; i < 3; i++) {
        service.ask(TestService.order("o" + i, "A", 1_000));
      }
      for (int tick = 0; tick < 100; tick++) {
        work(service, tick, 3);
      }
      for (int i = 0; i < 3; i++) {
        before.add(service.look("o" + i));
        before.add(service.ask(new Request.Decide("o" + i, 1, null)));
      }
    }
    var after = new ArrayList<Answer>();
    var rest = new ArrayList<Answer>();
    try (var service = TestService.open(folder)) {
      for (int i = 0; i < 3; i++) {
        after.add(service.look("o" + i));
        after.add(service.ask(new Request.Decide("o" + i, 1, null)));
      }
      for (int tick = 100; tick < 240; tick++) {
        rest.addAll(work(service, tick, 3));
      }
    }
    var straight = new ArrayList<Answer>();
    try (var service = TestService.open(folder.resolve("straight"))) {
      for (int i = 0; i < 3; i++) {
        service.ask(TestService.order("o" + i, "A", 1_000));
      }
      for (int tick = 0; tick < 240; tick++) {
        var answers = work(service, tick, 3);
        straight.addAll(tick < 100 ? List.of() : answers);
      }
    }

    assertThat(after).isEqualTo(before);
    assertThat(rest).isNotEmpty().isEqualTo(straight);
  }

  /// Takes all decisions, fills a third of each, and sends the next bar.
  private static List<Answer> work(TestService service, int tick, int orders) {
    var answers = new ArrayList<Answer>();
    for (int i = 0; i < orders; i++) {
      if (service.look("o" + i).isDue()) {
        Answer.Child child = service.decide("o" + i);
        answers.add(child);
        if (child.volume() > 0) {
          answers.add(
              service.ask(new Request.Fill("o" + i, "f" + tick, child.volume() / 3, 10 + i)));
        }
      }
    }
    service.bars("A", tick, tick + 1);
    return answers;
  }

  @Test
  void instrumentsWhoseDaysHaveEndedTakeNoRoom() {
    try (var service =
        TestService.open(
            folder,
            config -> config.withBounds(config.bounds().withMost(100, 50)),
            EngineParts.REAL)) {
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 50; i++) {
          String name = "I%d-%d".formatted(round, i);
          service.state(TestService.order("o" + name, name, 800));
          service.bars(name, 0, 2);
        }
        assertThat(service.refused(TestService.order("x", "more", 800)).message())
            .contains("instruments");
        service.done(new Request.EndDays(null, TestService.DATE));
        assertThat(service.engine.core().ledger().instruments()).isEmpty();
        assertThat(service.engine.openOrders()).isZero();
      }
    }
  }
}
