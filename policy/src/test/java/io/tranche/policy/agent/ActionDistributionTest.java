package io.tranche.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.weights.CheckpointException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ActionDistributionTest {

  private static final Space RATES = Space.Box.scalar(ElementType.FLOAT32, 0, 4);
  private static final Space DIALS = new Space.Box(ElementType.FLOAT32, List.of(2), -1, 1);

  private static ActionDistribution over(Space space, Head head, InvalidActions invalid) {
    return Objects.requireNonNull(ActionDistribution.over(space, head, invalid));
  }

  @ParameterizedTest
  @EnumSource(Head.class)
  void drawsStayWithinTheBoundsAndAreRecovered(Head head) {
    for (Space space : List.of(RATES, DIALS)) {
      ActionDistribution made = over(space, head, InvalidActions.ERROR);
      float[] code = new float[made.codeWidth()];
      for (float output : new float[] {-100, -8, 0, 8, 100}) {
        float[] outputs = new float[made.outputs()];
        Arrays.fill(outputs, output);
        for (long key = 0; key < 100; key++) {
          Action drawn = made.draw(outputs, 0, key);

          space.validate(drawn);
          made.encode(drawn, code, 0);
          assertThat(made.logProbability(outputs, 0, code, 0)).isFinite();
          assertThat(made.draw(outputs, 0, key)).isEqualTo(drawn);
        }
        space.validate(made.best(outputs, 0));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Head.class)
  void startsWhereItIsTold(Head head) {
    ActionDistribution one = over(RATES, head, InvalidActions.ERROR);
    assertThat(one.best(one.centredAt(1), 0).number()).isCloseTo(1, within(1e-5));
    ActionDistribution two = over(DIALS, head, InvalidActions.ERROR);
    float[] scores = new float[2];
    two.score(two.centredAt(-0.5, 0), 0, scores, 0);
    assertThat(scores).containsExactly(new float[] {-0.5f, 0}, within(1e-5f));
  }

  @ParameterizedTest
  @EnumSource(Head.class)
  void drawsHaveTheDensityThatTheyClaim(Head head) {
    ActionDistribution made = over(RATES, head, InvalidActions.ERROR);
    float[] outputs = {0.4f, 0.3f};
    float[] code = new float[1];
    int draws = 20_000;
    double sum = 0;
    int low = 0;
    for (long key = 0; key < draws; key++) {
      Action drawn = made.draw(outputs, 0, key);
      made.encode(drawn, code, 0);
      sum -= made.logProbability(outputs, 0, code, 0);
      low += drawn.number() < 2 ? 1 : 0;
    }
    double below = 0;
    for (int i = 0; i < 2_000; i++) {
      made.encode(new Action.Continuous((i + 0.5) / 1_000), code, 0);
      below += Math.exp(made.logProbability(outputs, 0, code, 0)) / 1_000;
    }

    assertThat(sum / draws).isCloseTo(made.entropy(outputs, 0), within(0.03));
    assertThat((double) low / draws).isCloseTo(below, within(0.015));
  }

  @ParameterizedTest
  @EnumSource(Head.class)
  void whatIsNotANumberIsAnErrorOrABound(Head head) {
    float[] broken = {Float.NaN, Float.NaN};
    ActionDistribution strict = over(RATES, head, InvalidActions.ERROR);
    assertThatThrownBy(() -> strict.best(broken, 0))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("policy: expected an action in [0.0, 4.0], or invalid_actions: bound, was NaN");
    assertThatThrownBy(() -> strict.draw(broken, 0, 1)).isInstanceOf(CheckpointException.class);

    ActionDistribution bounding = over(RATES, head, InvalidActions.BOUND);
    assertThat(bounding.best(broken, 0)).isEqualTo(new Action.Continuous(0));
    assertThat(bounding.draw(broken, 0, 1).number()).isCloseTo(0, within(1e-6));
    float[] infinite = {Float.POSITIVE_INFINITY, head == Head.BETA ? 0 : -1};
    assertThat(bounding.best(infinite, 0)).isEqualTo(new Action.Continuous(4));
  }

  @Test
  void refusesActionsOfAnotherKindAndSpacesWithoutBounds() {
    ActionDistribution rates = over(RATES, Head.GAUSSIAN, InvalidActions.ERROR);

    assertThatThrownBy(() -> rates.encode(new Action.Discrete(1), new float[1], 0))
        .hasMessageContaining("action must be 1 real numbers");
    assertThatThrownBy(() -> new Categorical(3).encode(new Action.Continuous(1), new float[1], 0))
        .hasMessageContaining("action must be one of 3 choices");
    var unbounded = Space.Box.scalar(ElementType.FLOAT32, 0, Double.POSITIVE_INFINITY);
    assertThat(ActionDistribution.over(unbounded, Head.BETA, InvalidActions.ERROR)).isNull();
  }
}
