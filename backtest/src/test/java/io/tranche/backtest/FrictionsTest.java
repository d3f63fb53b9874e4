package io.tranche.backtest;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrictionsTest {

  static List<ThrowingCallable> nonsense() {
    return List.of(
        () -> Frictions.NONE.withParticipation(-0.1),
        () -> Frictions.NONE.withParticipation(Double.NaN),
        () -> Frictions.NONE.withLot(-1),
        () -> Frictions.NONE.withLot(Double.POSITIVE_INFINITY),
        () -> Frictions.NONE.withPriceLimit(0),
        () -> Frictions.NONE.withLatency(-1),
        () -> Costs.NONE.withImpacts(new Impact.Transient(1, 0), new Impact.Transient(1, 1)),
        () -> new Impact.Linear(-1),
        () -> new Impact.SquareRoot(Double.NaN),
        () -> new Impact.Transient(1, 1.1),
        () -> Costs.NONE.withCommission(-1),
        () -> Costs.NONE.withMinimum(Double.NaN, Costs.Unit.FILL),
        () -> Costs.NONE.withTaxes(0, -1),
        () -> Costs.NONE.withHalfSpread(Double.POSITIVE_INFINITY),
        () -> Costs.preset("mars"),
        () -> ChildOrder.limit(1, Double.NaN));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void refusesNonsense(ThrowingCallable maker) {
    assertThatIllegalArgumentException().isThrownBy(maker);
  }
}
