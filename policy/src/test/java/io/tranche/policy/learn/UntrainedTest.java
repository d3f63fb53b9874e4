package io.tranche.policy.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.AllOne;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.policy.agent.RuleAgent;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.toy.Lots;
import java.util.List;
import org.junit.jupiter.api.Test;

class UntrainedTest {

  @Test
  void actsAndNeverLearns() {
    var untrained =
        new Untrained<>(new RuleAgent<>(new AllOne<Lots.View>(new Action.Continuous(1))));

    UpdateReport report =
        untrained.update(new Transitions<>(), new UpdateSettings(0, 1, Batching.EPISODES), 1);
    untrained.restore(untrained.state());

    assertThat(report.series()).isEmpty();
    assertThat(untrained.agent().weights().parts()).isEmpty();
    assertThat(
            untrained
                .agent()
                .newPolicy(1)
                .act(List.of(new Lots.View(0, 0, 0)), new long[1], Policy.Mode.TRAIN))
        .containsExactly(new Action.Continuous(1));
  }
}
