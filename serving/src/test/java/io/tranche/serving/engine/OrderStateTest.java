package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.risk.RiskCheck;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is out in the market stays reserved until the desk reports its end.
class OrderStateTest {

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
    return TestService.open(folder, config -> config.withCancelsAwaited(true), parts);
  }

  private static Request.OpenOrder order(double amount) {
    return new Request.OpenOrder(
        "a",
        "A",
        TestService.DATE,
        Side.SELL,
        amount,
        TestService.time(0),
        TestService.DATE.atTime(14, 59),
        null,
        "desk");
  }

  private static List<Phase> phases(TestService service) {
    var details = (Answer.Details) service.ask(new Request.Inspect("a"));
    return details.children().stream().map(Answer.ChildState::phase).toList();
  }

  /// Takes the decisions of steps `from` to `to` - 1.
  private static void decide(TestService service, int from, int to) {
    for (int step = from; step < to; step++) {
      assertThat(service.decide("a").step()).isEqualTo(step);
      service.bars("A", 30 * step, 30 * step + 30);
    }
  }

  @Test
  void aChildOrderGoesThroughItsPhasesAlsoAcrossRestarts() {
    try (var service = open()) {
      assertThat(service.state(order(800)).phase()).isEqualTo(Phase.PENDING_NEW);
      decide(service, 0, 1);
      assertThat(phases(service)).containsExactly(Phase.PENDING_NEW);
      Answer.OrderState state = service.state(new Request.Report("a", 0, Phase.WORKING));
      assertThat(state.phase()).isEqualTo(Phase.WORKING);
      assertThat(state.instrument()).isEqualTo("A");
      assertThat(state.side()).isEqualTo(Side.SELL);
      assertThat(state.date()).isEqualTo(TestService.DATE);
      assertThat(state.start()).isEqualTo(TestService.time(0));
      assertThat(state.end()).isEqualTo(TestService.DATE.atTime(14, 59));
      assertThat(state.account()).isEqualTo("desk");
      assertThat(phases(service)).containsExactly(Phase.WORKING);
    }
    try (var service = open()) {
      decide(service, 1, 2);
      assertThat(phases(service)).containsExactly(Phase.PENDING_CANCEL, Phase.PENDING_NEW);
      assertThat(service.look("a").out()).isGreaterThan(200);
      service.state(new Request.Report("a", 0, Phase.DONE));
      assertThat(phases(service)).containsExactly(Phase.DONE, Phase.PENDING_NEW);
    }
    try (var service = open()) {
      assertThat(phases(service)).containsExactly(Phase.DONE, Phase.PENDING_NEW);
      Answer.OrderState before = service.look("a");
      assertThat(service.state(new Request.Report("a", 0, Phase.WORKING))).isEqualTo(before);
      assertThat(service.refused(new Request.Report("a", 5, Phase.DONE)).reason())
          .isEqualTo(Reason.INVALID);
      service.state(new Request.Fill("a", "f", 1, before.out(), 10));
      assertThat(phases(service)).containsExactly(Phase.DONE, Phase.DONE);
    }
  }

  @Test
  void anOrderIsNeverFilledTwiceByChildrenThatWereNotWithdrawn() {
    try (var service = open()) {
      service.state(order(800));
      double out = 0;
      for (int step = 0; step < 8; step++) {
        Answer.Child child = service.decide("a");
        out += child.volume();
        assertThat(out).isLessThanOrEqualTo(800 + 1e-9);
        if (step == 7) {
          // TWAP wants all that remains, but most of it is out.
          assertThat(child.limited()).isEqualTo(RiskCheck.RESERVED);
        }
        service.bars("A", 30 * step, Math.min(30 * step + 30, 238));
      }
      for (int step = 0; step < 8; step++) {
        double volume = ((Answer.Child) service.ask(new Request.Decide("a", step, null))).volume();
        if (volume > 0) {
          service.state(new Request.Fill("a", "f" + step, step, volume, 10));
        }
      }
      assertThat(service.look("a").filled()).isLessThanOrEqualTo(800 + 1e-9);
      assertThat(service.engine.counters().overfills.sum()).isZero();
    }
  }

  @Test
  void aCancelledOrderIsPendingUntilItsChildrenAreGone() {
    try (var service = open()) {
      service.state(order(800));
      decide(service, 0, 1);
      Answer.OrderState cancelled = service.state(new Request.Cancel("a"));
      assertThat(cancelled.status()).isEqualTo(Status.CANCELLED);
      assertThat(cancelled.phase()).isEqualTo(Phase.PENDING_CANCEL);
      assertThat(cancelled.out()).isEqualTo(100);
      assertThat(service.state(new Request.Report("a", 0, Phase.DONE)).phase())
          .isEqualTo(Phase.DONE);
    }
  }

  @Test
  void aSwitchLeavesTheVolumeReserved() {
    try (var service = open()) {
      service.state(order(800));
      decide(service, 0, 1);
      service.done(new Request.Switch(Request.Scope.ACCOUNT, "desk", true));
      io.tranche.serving.Waiting.until(() -> phases(service).equals(List.of(Phase.PENDING_CANCEL)));
      assertThat(service.look("a").out()).isEqualTo(100);
      assertThat(service.look("a").working()).isZero();
      assertThat(service.decide("a").source()).isEqualTo(Answer.Source.KILL_SWITCH);
      assertThat(service.refused(new Request.Switch(Request.Scope.ACCOUNT, "dsek", true)).reason())
          .isEqualTo(Reason.UNKNOWN);
    }
  }

  @Test
  void anOrderIsAmended() {
    try (var service = open()) {
      service.state(order(800));
      decide(service, 0, 1);
      service.state(new Request.Fill("a", "f", 0, 60, 10));

      assertThat(service.refused(new Request.Amend("a", 99.0, null)).message())
          .isEqualTo("amount of order a must be at least 100.0, what is filled and out, was 99.0");
      assertThat(service.refused(new Request.Amend("a", RiskLimits.MOST_AMOUNT * 2, null)).reason())
          .isEqualTo(Reason.RISK);
      assertThat(service.refused(new Request.Amend("a", null, TestService.time(29))).reason())
          .isEqualTo(Reason.INVALID);
      Answer.OrderState state = service.state(new Request.Amend("a", 460.0, TestService.time(90)));
      assertThat(state.amount()).isEqualTo(460);
      assertThat(state.remaining()).isEqualTo(400);
      assertThat(state.end()).isEqualTo(TestService.time(90));
      assertThat(service.state(new Request.Amend("a", 460.0, TestService.time(90))))
          .isEqualTo(state);
      service.state(new Request.Report("a", 0, Phase.DONE));
      assertThat(service.decide("a").volume()).isEqualTo(200); // two steps are left
    }
    try (var service = open()) {
      assertThat(service.look("a").amount()).isEqualTo(460);
      service.bars("A", 30, 60);
      service.state(new Request.Report("a", 1, Phase.DONE));
      assertThat(service.decide("a").volume()).isEqualTo(400);
      assertThat(service.refused(new Request.Amend("nobody", 1.0, null)).reason())
          .isEqualTo(Reason.UNKNOWN);
    }
  }

  @Test
  void operatorsCorrectFillsAndBars() {
    try (var service = open()) {
      service.state(order(800));
      decide(service, 0, 1);
      service.state(new Request.Fill("a", "f", 0, 60, 10));
      service.state(new Request.Fill("a", "g", 0, 40, 10));

      Answer.OrderState busted = service.state(new Request.CorrectFill("a", "f", 0, 0));
      assertThat(busted.filled()).isEqualTo(40);
      assertThat(busted.remaining()).isEqualTo(760);
      Answer.OrderState corrected = service.state(new Request.CorrectFill("a", "g", 50, 11));
      assertThat(corrected.filled()).isEqualTo(50);
      assertThat(corrected.averagePrice()).isEqualTo(11);
      // A repeated report of the busted fill changes nothing.
      assertThat(service.state(new Request.Fill("a", "f", 0, 60, 10))).isEqualTo(corrected);
      assertThat(service.refused(new Request.CorrectFill("a", "h", 1, 1)).reason())
          .isEqualTo(Reason.INVALID);
      assertThat(service.refused(new Request.CorrectFill("a", "g", -1, 1)).reason())
          .isEqualTo(Reason.INVALID);

      Request.Bar wrong = TestService.bar("A", 3);
      var right =
          new Request.Bar("A", wrong.date(), wrong.time(), wrong.fields(), List.of(11f, 7f));
      assertThat(service.ask(right).toString()).contains("CONTRADICTING");
      assertThat(service.ask(new Request.CorrectBar(right)).toString()).contains("TAKEN");
      assertThat(service.ask(right).toString()).contains("REPEATED");
      assertThat(service.refused(new Request.CorrectBar(TestService.bar("A", 99))).reason())
          .isEqualTo(Reason.INVALID);
      assertThat(service.engine.counters().corrections.sum()).isEqualTo(3);
    }
    try (var service = open()) {
      assertThat(service.look("a").filled()).isEqualTo(50);
    }
  }

  private static Request.OpenOrder replacing(String id, double amount, String replaces) {
    return new Request.OpenOrder(
            id,
            "A",
            TestService.DATE,
            Side.SELL,
            amount,
            TestService.time(0),
            TestService.DATE.atTime(14, 59),
            null,
            "desk")
        .withReplaces(replaces);
  }

  @Test
  void anOrderIsReplacedInOneMomentAndWhatIsOutStaysReserved() {
    try (var service = open()) {
      service.state(order(800));
      assertThat(service.decide("a").volume()).isEqualTo(100);
      Answer.OrderState state = service.state(replacing("b", 120, "a"));
      assertThat(state.amount()).isEqualTo(120);
      assertThat(service.state(replacing("b", 120, "a"))).as("repeated").isEqualTo(state);
      assertThat(service.state(new Request.Look("a")).status()).isEqualTo(Status.CANCELLED);
      assertThat(service.state(new Request.Look("a")).phase()).isEqualTo(Phase.PENDING_CANCEL);
      assertThat(service.refused(replacing("c", 120, "a")).message())
          .isEqualTo("order a must be open to be replaced, was cancelled");
      assertThat(service.refused(replacing("c", 120, "none")).reason()).isEqualTo(Reason.UNKNOWN);
      assertThat(service.decide("b").volume()).isEqualTo(15); // a TWAP, less than is available
    }
    try (var service = open()) {
      assertThat(service.state(new Request.Look("a")).status())
          .as("after a restart")
          .isEqualTo(Status.CANCELLED);
      service.state(new Request.Report("b", 0, Phase.DONE));
      service.bars("A", 0, 210);
      assertThat(service.decide("b").volume())
          .as("100 of 120 may still fill by the replaced order")
          .isEqualTo(20);
      service.state(new Request.Report("a", 0, Phase.DONE));
    }
  }
}
