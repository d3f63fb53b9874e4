package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.BarTime;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Request;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.journal.Records;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A fill is a fact even if its child order was withdrawn or its order is over: it is booked once,
/// and the rest of the order adapts.
class LateFillTest {

  @TempDir Path folder;

  /// When the model fails, TWAP decides: 100 of 800 at each step.
  private TestService open() {
    var parts =
        new EngineParts(
            System::nanoTime,
            JournalFile::open,
            (_, _) -> {
              throw new IllegalStateException("broken");
            });
    return TestService.open(folder, UnaryOperator.identity(), parts);
  }

  private static Request.Fill fill(String fillId, int step, double volume) {
    return new Request.Fill("a", fillId, step, volume, 10);
  }

  /// Takes the decisions of steps `from` to `to` - 1.
  private static void decide(TestService service, int from, int to) {
    for (int step = from; step < to; step++) {
      assertThat(service.decide("a").step()).isEqualTo(step);
      service.bars("A", 30 * step, 30 * step + 30);
    }
  }

  @Test
  void aFillOfAWithdrawnChildIsBookedAndTheRestFollows() {
    try (var service = open()) {
      service.ask(TestService.order("a", "A", 800));
      decide(service, 0, 2);

      assertThat(service.refused(new Request.Fill("a", "f", -1, 10)).reason())
          .isEqualTo(Reason.INVALID);
      Answer.OrderState late = service.state(fill("late", 0, 60));

      assertThat(late.remaining()).isEqualTo(740);
      assertThat(late.filled()).isEqualTo(60);
      assertThat(late.working()).isEqualTo(114.28571428571429); // the newest child is as it was
      assertThat(service.state(fill("late", 0, 60))).isEqualTo(late);
      assertThat(service.refused(fill("late", 1, 60)).reason()).isEqualTo(Reason.CONFLICT);
      service.state(fill("newest", 1, 100));
      assertThat(service.decide("a"))
          .isEqualTo(new Answer.Child("a", 2, 640.0 / 6, null, Source.TWAP, null));
      Waiting.untilCount(service.engine.counters().lateFills, 1);
      Waiting.untilCount(service.engine.counters().fills, 1);
      Records.assertFaithful(service, folder.resolve("journal"));
    }
    try (var service = open()) {
      assertThat(service.look("a").filled()).isEqualTo(160);
      assertThat(service.state(fill("late", 0, 60)).remaining()).isEqualTo(640);
    }
  }

  @Test
  void whatTheMarketFilledIsBookedWhateverItIs() {
    try (var service = open()) {
      service.ask(TestService.order("a", "A", 800));
      decide(service, 0, 2);

      service.state(fill("more", 0, 141)); // child 0 was of 100
      service.state(fill("never", 5, 1)); // there is no child 5
      Answer.OrderState state = service.state(new Request.Fill("a", "all", 900, 10));

      assertThat(state.filled()).isEqualTo(1_042);
      assertThat(state.status()).isEqualTo(Status.DONE);
      assertThat(service.engine.counters().overfills.sum()).isEqualTo(3);
      assertThat(service.notices).filteredOn(each -> each.kind() == Kind.OVERFILL).hasSize(3);
      for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
        assertThat(service.refused(fill("w", 0, wrong)).reason()).isEqualTo(Reason.INVALID);
        assertThat(service.refused(new Request.Fill("a", "w", 0, 1, wrong)).reason())
            .isEqualTo(Reason.INVALID);
      }
    }
    try (var service = open()) {
      assertThat(service.look("a").filled()).isEqualTo(1_042);
    }
  }

  @Test
  void aFillOfAnUnknownOrderIsKeptOnceAndRaisesAnAlarm() {
    var stray = new Request.Fill("nobody", "f", 3, 10);
    try (var service = open()) {
      assertThat(service.refused(stray).reason()).isEqualTo(Reason.UNMATCHED);
      assertThat(service.refused(stray).reason()).isEqualTo(Reason.UNMATCHED);
      assertThat(service.refused(new Request.Fill("nobody", "f", 4, 10)).reason())
          .isEqualTo(Reason.CONFLICT);
      assertThat(service.engine.counters().unmatchedFills.sum()).isEqualTo(1);
      assertThat(service.notices).anyMatch(each -> each.kind() == Kind.UNMATCHED_FILL);
    }
    for (int life = 0; life < 2; life++) {
      try (var service = open()) {
        assertThat(service.ask(new Request.ListUnmatched()))
            .isEqualTo(new Answer.UnmatchedFills(List.of(stray)));
        assertThat(service.refused(stray).reason()).isEqualTo(Reason.UNMATCHED);
        assertThat(service.engine.counters().unmatchedFills.sum()).isZero();
      }
    }
  }

  @Test
  void anOrderThatIsOverStillHearsOfItsFills() {
    try (var service = open()) {
      service.ask(TestService.order("a", "A", 800));
      decide(service, 0, 1);
      service.state(new Request.Cancel("a"));

      Answer.OrderState cancelled = service.state(fill("late", 0, 100));
      assertThat(cancelled.status()).isEqualTo(Status.CANCELLED);
      assertThat(cancelled.remaining()).isEqualTo(700);
      assertThat(cancelled.averagePrice()).isEqualTo(10);
      assertThat(service.state(new Request.Cancel("a"))).isEqualTo(cancelled);
      assertThat(service.state(new Request.Fill("a", "f", 1, 10)).filled()).isEqualTo(101);
    }
  }

  @Test
  void anExpiredOrderStillHearsOfItsFills() {
    try (var service = open()) {
      service.ask(TestService.order("a", "A", 800));
      decide(service, 0, 8);

      assertThat(service.look("a").status()).isEqualTo(Status.EXPIRED);
      assertThat(service.state(fill("late", 7, 800)).remaining()).isZero();
      assertThat(service.look("a").status()).isEqualTo(Status.EXPIRED);
    }
  }

  @Test
  void whatTheMarketFilledTwiceIsShownAsMoreThanTheOrder() {
    try (var service = open()) {
      service.ask(TestService.order("a", "A", 800));
      decide(service, 0, 7);
      Answer.Child last = service.decide("a"); // all of it
      assertThat(last.volume()).isEqualTo(800);

      for (int step = 0; step < 7; step++) {
        double volume = ((Answer.Child) service.ask(new Request.Decide("a", step, null))).volume();
        service.state(fill("late" + step, step, Math.min(volume, 100)));
      }
      assertThat(service.look("a").remaining()).isEqualTo(100);
      assertThat(service.look("a").working()).isEqualTo(100);
      Answer.OrderState state = service.state(fill("last", 7, 800));

      assertThat(state.status()).isEqualTo(Status.DONE);
      assertThat(state.remaining()).isZero();
      assertThat(state.filled()).isEqualTo(1_500);
      Records.assertFaithful(service, folder.resolve("journal"));
    }
    try (var service = open()) {
      assertThat(service.look("a").filled()).isEqualTo(1_500);
    }
  }

  @Test
  void theModelHearsOfThemAsTheRuntimeDoes() {
    try (var service = TestService.open(folder)) {
      var runtime =
          new DecisionRuntime(Objects.requireNonNull(service.engine.model(TestService.MODEL)));
      LiveDay day = runtime.openDay("A", TestService.DATE, List.of());
      Request.OpenOrder request = TestService.order("a", "A", 800);
      LiveOrder order = day.openOrder("a", request.side(), 800, request.start(), request.end());
      service.ask(request);
      double late = 0;
      for (int tick = 0; tick < 239; tick++) {
        if (order.isDue()) {
          double before = order.volume();
          double volume = order.decide();
          assertThat(service.decide("a"))
              .isEqualTo(new Answer.Child("a", order.step() - 1, volume, null, Source.MODEL, null));
          if (before > 0 && order.step() >= 2) {
            order.fillLate(before / 4, 9);
            late += before / 4;
            service.state(new Request.Fill("a", "late" + tick, order.step() - 2, before / 4, 9));
          }
        }
        Request.Bar bar = TestService.bar("A", tick);
        service.ask(bar);
        day.bar(BarTime.of(bar.time()), new float[] {bar.values().get(0), bar.values().get(1)});
      }

      assertThat(late).isPositive();
      assertThat(service.look("a").remaining()).isEqualTo(order.remaining());
      assertThat(service.look("a").averagePrice()).isEqualTo(9);
    }
  }
}
