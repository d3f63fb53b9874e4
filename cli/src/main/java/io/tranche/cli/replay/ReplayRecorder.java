package io.tranche.cli.replay;

import io.tranche.cli.model.DecisionWriter;
import io.tranche.market.order.NamedOrder;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderOutcome;
import io.tranche.work.decide.OrderReplayListener;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/// Passes the events of a replay on to its displays and files.
///
/// @param decisions null for no file
/// @param outcomes null for no file
record ReplayRecorder(
    ReplayTally tally,
    ReplayScreen screen,
    @Nullable DecisionWriter decisions,
    @Nullable OutcomeWriter outcomes,
    PrintWriter err)
    implements OrderReplayListener {

  @Override
  public void opened(NamedOrder order) {
    tally.opened(order);
  }

  @Override
  public void took(int bars) {
    tally.took(bars);
  }

  @Override
  public void decided(OrderDecision decision) {
    tally.decided(decision);
    if (decisions != null) {
      decisions.decided(decision);
    }
  }

  @Override
  public void filled(DecisionMaker.Fill fill) {
    tally.filled(fill);
  }

  @Override
  public void concluded(OrderOutcome outcome) {
    tally.concluded(outcome);
    if (outcomes != null) {
      outcomes.write(outcome);
    }
  }

  @Override
  public void warned(String warning) {
    screen.clear();
    err.println("warning: " + warning);
  }
}
