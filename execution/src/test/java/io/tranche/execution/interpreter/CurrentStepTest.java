package io.tranche.execution.interpreter;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import io.tranche.market.Side;
import org.junit.jupiter.api.Test;

class CurrentStepTest {

  @Test
  void theObservationAfterTheLastStepIsInTheSpaceOfARun() {
    Value last = new CurrentStepObservation(Side.SELL, 8, 8, 100, 0, true).toValue();

    assertThatCode(() -> CurrentStepInterpreter.qlibToTheEnd(8).observationSpace().validate(last))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> CurrentStepInterpreter.qlib(8).observationSpace().validate(last))
        .isInstanceOf(SpaceException.class);
  }
}
