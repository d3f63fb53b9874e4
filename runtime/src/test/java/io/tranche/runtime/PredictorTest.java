package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Decisions on Qlib's dictionaries are those of the streaming runtime at the same moment.
class PredictorTest {

  private static final int ORDERS = 12;

  @ParameterizedTest
  @ValueSource(
      strings = {
        TestModel.PPO,
        "{class: Dqn, kwargs: {learning_rate: 0.001}}",
        "{class: QuantileDqn, kwargs: {learning_rate: 0.001, quantiles: 4, tail: 0.4}}"
      })
  void choosesAsTheStreamingRuntimeDoes(String policy) {
    ModelSpec spec = TestModel.spec(TestModel.RECURRENT, policy, TestModel.SHARES);
    var random = new SplittableRandom(7);
    var day = new TestDay(spec, "A", random);
    TestModel model = TestModel.draw(spec, 1, 11);
    Map<String, List<TestDay.Simulated>> simulated = new HashMap<>();
    DecisionRuntime runtime = model.newRuntime();
    LiveDay live = day.open(runtime);
    for (int i = 0; i < ORDERS; i++) {
      Order order = day.draw(random);
      simulated.put("" + i, day.simulate(model, order));
      live.openOrder("" + i, order.side(), order.amount(), order.start(), order.end());
    }
    Predictor predictor = runtime.model().newPredictor(ORDERS);
    var choices = new HashSet<Integer>();
    Map<String, Integer> taken = new HashMap<>();

    for (int tick = 0; tick < day.count(); tick++) {
      var due = new ArrayList<TestDay.Simulated>();
      var streamed = new ArrayList<Integer>();
      runtime.decideAll(
          order -> {
            int step = taken.merge(order.id(), 1, Integer::sum) - 1;
            TestDay.Simulated each = simulated.getOrDefault(order.id(), List.of()).get(step);
            due.add(each);
            streamed.add(order.choice());
            if (!each.isLast() && each.filled() > 0) {
              order.fill(each.filled(), each.price());
            }
          });
      if (!due.isEmpty()) {
        predictor.evaluate(
            due.stream()
                .map(each -> FullHistoryObservation.fromValue(each.observation().toValue()))
                .toList());
        for (int row = 0; row < due.size(); row++) {
          assertThat(predictor.choice(row)).isEqualTo(streamed.get(row));
          choices.add(streamed.get(row));
        }
      }
      live.bar(day.times[tick], day.bar(tick));
    }

    assertThat(taken).hasSize(ORDERS);
    assertThat(choices).hasSizeGreaterThan(1);
  }

  @Test
  void severalMembersAreTheMeanOfTheirProbabilities() {
    ModelSpec spec = TestModel.plainSpec();
    var random = new SplittableRandom(2);
    var day = new TestDay(spec, "A", random);
    TestModel model = TestModel.draw(spec, 3, 5);
    var order =
        new Order(
            "A", Side.SELL, 100, BarTime.dateTime(day.times[0]), BarTime.dateTime(day.times[200]));
    var seen = List.of(day.simulate(model, order).getFirst().observation());
    Predictor together = model.load().newPredictor(4);

    together.evaluate(seen);

    float sum = 0;
    for (int choice = 0; choice < together.choices(); choice++) {
      sum += together.score(0, choice);
      assertThat(together.score(0, together.choice(0)))
          .isGreaterThanOrEqualTo(together.score(0, choice));
    }
    assertThat(sum).isCloseTo(1, offset(1e-5f));
  }

  @Test
  void refusesObservationsOfAnotherShape() {
    ModelSpec spec = TestModel.plainSpec();
    ModelSpec coarse =
        TestModel.over(spec, Session.CHINA_STOCKS, Frequency.parse("5min"), 6, false);
    var random = new SplittableRandom(2);
    var day = new TestDay(spec, "A", random);
    var seen = day.simulate(TestModel.draw(spec, 1, 5), day.draw(random)).getFirst().observation();
    Predictor predictor = TestModel.draw(coarse, 1, 5).load().newPredictor(4);

    assertThatThrownBy(() -> predictor.evaluate(List.of(seen)))
        .isInstanceOf(DataException.class)
        .hasMessage("observation.ticks: expected 1 to 48, was 240");
  }
}
