package io.tranche.policy.agent;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Rows;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// An agent that cannot decide tick by tick says so; those that can are compared with the simulator
/// in `runtime`.
class LivePolicyTest {

  @Test
  void aPolicyWithoutANetworkSaysSo() {
    var agent =
        new RuleAgent<FullHistoryObservation>((_, _, _) -> new Action[] {new Action.Discrete(0)});

    assertThatThrownBy(() -> agent.newLivePolicy(1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("policy: expected one that can decide tick by tick, was RuleAgent");
  }

  @Test
  void aNetworkThatWantsWholeObservationsSaysSo() {
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create((_, _) -> new Blind(), 3, RandomTree.generator(0));

    assertThatThrownBy(() -> agent.newLivePolicy(1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "network: expected one that can follow a day tick by tick (made of layers, or with its"
                + " own newLive), was Blind");
  }

  /// Sees nothing.
  private static final class Blind implements Network<FullHistoryObservation> {

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void initialise(RandomGenerator random) {}

    @Override
    public Object lane(FullHistoryObservation observation) {
      return observation;
    }

    @Override
    public Pass<FullHistoryObservation> newPass(int maxRows, int maxLanes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Inference<FullHistoryObservation> newInference(int maxRows) {
      return _ -> Rows.zeros(maxRows, 1);
    }
  }
}
