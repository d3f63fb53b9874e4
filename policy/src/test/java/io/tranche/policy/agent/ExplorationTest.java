package io.tranche.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ExplorationTest {

  @Test
  void fadesInAStraightLineAndStaysAtItsEnd() {
    var exploration =
        new Exploration(1, 0.2, 8, Exploration.Fade.LINEAR, Exploration.Clock.UPDATES);

    assertThat(exploration.at(0)).isEqualTo(1);
    assertThat(exploration.at(4)).isCloseTo(0.6, within(1e-12));
    assertThat(exploration.at(8)).isEqualTo(0.2);
    assertThat(exploration.at(1_000)).isEqualTo(0.2);
  }

  @Test
  void fadesExponentiallyTowardsItsEnd() {
    var exploration =
        new Exploration(1, 0.2, 8, Exploration.Fade.EXPONENTIAL, Exploration.Clock.STEPS);

    assertThat(exploration.at(0)).isEqualTo(1);
    assertThat(exploration.at(8)).isCloseTo(0.2 + 0.8 / Math.E, within(1e-12));
    assertThat(exploration.at(1_000)).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void withoutDurationIsAtItsEndAtOnce() {
    var exploration =
        new Exploration(1, 0.3, 0, Exploration.Fade.EXPONENTIAL, Exploration.Clock.STEPS);

    assertThat(exploration.at(0)).isEqualTo(0.3);
  }

  @Test
  void triesTheActionOfTheHighestDraw() {
    double[] draws = {0.49, 0.1, 0.9, 0.9, 0.3};

    assertThat(Exploration.choose(3, 0.5, draws)).isEqualTo(1);
    assertThat(Exploration.choose(3, 0.49, draws)).isEqualTo(3);
    assertThat(Exploration.choose(3, 0, draws)).isEqualTo(3);
  }

  @Test
  void refusesWhatIsNoProbability() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Exploration(1.5, 0, 1, Exploration.Fade.LINEAR, Exploration.Clock.STEPS))
        .withMessage("start must be in [0, 1], was 1.5");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Exploration(1, Double.NaN, 1, Exploration.Fade.LINEAR, Exploration.Clock.STEPS))
        .withMessageContaining("end");
  }
}
