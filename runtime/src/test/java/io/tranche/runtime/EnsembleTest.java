package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Side;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnsembleTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MEAN | {class: Ppo, kwargs: {learning_rate: 0.001}}
          MEAN | {class: Dqn, kwargs: {learning_rate: 0.001}}
          MAJORITY | {class: Ppo, kwargs: {learning_rate: 0.001}}
          MAJORITY | {class: QuantileDqn, kwargs: {learning_rate: 0.001, quantiles: 3}}
          """)
  void membersComeToOneDecision(Combination combination, String policy) {
    ModelSpec spec =
        TestModel.spec(TestModel.RECURRENT, policy, TestModel.SHARES).withCombination(combination);
    var different = new ArrayList<Integer>();
    for (int seed = 0; seed < 12; seed++) {
      TestModel model = TestModel.draw(spec, 4, seed);
      var day = new TestDay(spec, "A", new SplittableRandom(seed));
      DecisionRuntime runtime = model.newRuntime();
      LiveDay live = day.open(runtime);
      LiveOrder order =
          live.openOrder(
              "1", Side.SELL, 100, TestDay.DATE.atTime(9, 30), TestDay.DATE.atTime(14, 59));
      List<Member> members = model.agents().stream().map(each -> new Member(each, day)).toList();
      for (int tick = 0; tick < day.count(); tick++) {
        if (order.isDue()) {
          float progress = (float) order.step() / spec.maxSteps();
          order.decide();
          different.add(order.choice());
          List<float[]> scores =
              members.stream().map(member -> member.scores(1, progress)).toList();
          assertThat(order.choice()).isEqualTo(expected(combination, scores));
        }
        live.bar(day.times[tick], day.bar(tick));
        for (Member member : members) {
          member.day.append(day.bar(tick), 0);
        }
      }
    }
    assertThat(different.stream().distinct()).hasSizeGreaterThan(1);
  }

  /// One of the policies, alone.
  private static final class Member {
    private final LivePolicy policy;
    private final LiveNetwork.Day day;
    private final LiveNetwork.Episode episode;

    Member(Agent<FullHistoryObservation> agent, TestDay source) {
      policy = agent.newLivePolicy(1);
      day = policy.newDay(new float[0], source.count());
      episode = policy.newEpisode(Side.SELL.code());
    }

    float[] scores(float remaining, float progress) {
      policy.put(0, day, episode, remaining, progress);
      return policy.evaluate(1).clone();
    }
  }

  private static int expected(Combination combination, List<float[]> scores) {
    int choices = scores.getFirst().length;
    float[] sums = new float[choices];
    int[] votes = new int[choices];
    for (float[] each : scores) {
      int best = 0;
      for (int i = 0; i < choices; i++) {
        sums[i] += each[i];
        best = each[i] > each[best] ? i : best;
      }
      votes[best]++;
    }
    int chosen = 0;
    for (int i = 1; i < choices; i++) {
      boolean isBetter =
          switch (combination) {
            case MEAN -> sums[i] > sums[chosen];
            case MAJORITY ->
                votes[i] > votes[chosen] || (votes[i] == votes[chosen] && sums[i] > sums[chosen]);
          };
      chosen = isBetter ? i : chosen;
    }
    return chosen;
  }
}
