package io.tranche.execution;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import java.util.List;
import java.util.SplittableRandom;

/// Draws frictions, each part on or off.
final class RandomFrictions {

  private RandomFrictions() {}

  /// Draws everything but a price limit, which needs ticks that know the previous close.
  static Frictions draw(SplittableRandom random) {
    Frictions frictions = Frictions.NONE;
    frictions = random.nextBoolean() ? frictions.withParticipation(random.nextDouble()) : frictions;
    frictions = random.nextBoolean() ? frictions.withLot(random.nextInt(1, 100)) : frictions;
    frictions = random.nextBoolean() ? frictions.withLatency(random.nextInt(3)) : frictions;
    Costs costs =
        random.nextBoolean()
            ? Costs.NONE
                .withCommission(0.001)
                .withMinimum(1, List.of(Costs.Unit.values()).get(random.nextInt(3)))
                .withTaxes(0, 0.001)
                .withHalfSpread(1)
            : Costs.NONE;
    Impact atOnce = random.nextBoolean() ? new Impact.Linear(0.01) : new Impact.SquareRoot(0.01);
    return frictions.withCosts(
        random.nextBoolean() ? costs.withImpacts(atOnce, new Impact.Transient(0.01, 0.9)) : costs);
  }
}
