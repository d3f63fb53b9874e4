package io.tranche.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tranche.policy.dqn.DqnConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionValuesTest {

  /// Three actions of four quantiles: a gamble, something safe, and something in between.
  private static final float[] QUANTILES = {-8, 1, 2, 13, 1, 1, 1, 1, 0.5f, 1.5f, 1.6f, 2};

  @ParameterizedTest
  @CsvSource({"1, 0", "0.75, 2", "0.5, 1", "0.25, 1", "0.01, 1", "0.4, 1", "0.7, 2"})
  void choosesByTheWorstShareOfWhatAnActionMayBring(double tail, int expected) {
    var values = new ActionValues(3, 4, tail, false);

    assertThat(values.best(QUANTILES, 0)).isEqualTo(expected);
  }

  @Test
  void takesTheFirstOfEqualActions() {
    var values = new ActionValues(3, 1, 1, false);

    assertThat(values.best(new float[] {9, 1, 2, 2}, 1)).isEqualTo(1);
  }

  @Test
  void refusesATailOfOneNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DqnConfig.DEFAULT.withQuantiles(1, 0.5))
        .withMessage("a tail needs quantiles, was 0.5");
  }
}
