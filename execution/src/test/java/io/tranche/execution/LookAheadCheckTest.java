package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.execution.LookAheadCheck.Part;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.reward.HoldingReward;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LookAheadCheckTest {

  private static final ActionInterpreter<ExecutionState, ChildOrder> SHARES =
      CategoricalInterpreter.of(List.of(0.0, 0.25, 0.5, 1.0));
  private static final CurrentStepInterpreter STEPS = CurrentStepInterpreter.of(8);
  private static final Reward<ExecutionState> NO_REWARD = (_, _) -> 0.0;

  @Test
  void ourOwnPartsShowNothingOfWhatIsToCome() {
    assertThat(
            find(
                bars ->
                    new FullHistoryInterpreter(
                        8, 48, 4, ComputedFeatures.of(bars, List.of(new PriceMoves()), 0, 4)),
                SHARES,
                (state, _) -> state.rows()))
        .isEmpty();
    assertThat(find(_ -> STEPS, SHARES, NO_REWARD)).isEmpty();
  }

  @Test
  void findsPartsOfOnesOwnThatLookAhead() {
    assertThat(
            find(
                _ -> StateInterpreter.numbers(1, state -> new double[] {state.twapPrice()}),
                SHARES,
                NO_REWARD))
        .containsExactly(Part.STATE_INTERPRETER);
    assertThat(
            find(
                _ -> STEPS,
                ActionInterpreter.choices(
                    5, (state, _) -> ChildOrder.market(state.restPrice() / 1000)),
                NO_REWARD))
        .contains(Part.ACTION_INTERPRETER);
    assertThat(find(_ -> STEPS, SHARES, (state, _) -> state.twapPrice()))
        .containsExactly(Part.REWARD);
  }

  @Test
  void theRewardOfTheRecipeKnowsNothingOfTheRestOfTheDay() {
    assertThat(find(_ -> STEPS, SHARES, new HoldingReward(1))).isEmpty();
  }

  private static <O extends Observation> Set<Part> find(
      Function<BarSource, StateInterpreter<ExecutionState, O>> states,
      ActionInterpreter<ExecutionState, ChildOrder> actions,
      Reward<ExecutionState> reward) {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(1, 4));
    String code = market.instruments().getFirst();
    DayFrame day = Objects.requireNonNull(market.series(code).day(2));
    var order =
        new Order(
            code,
            Side.SELL,
            1000,
            BarTime.dateTime(day.time(0)),
            BarTime.dateTime(day.time(day.ticks() - 1)),
            day.date());
    return LookAheadCheck.find(
        bars ->
            new Problem<>(
                SimpleSimulatorConfig.DEFAULT
                    .withMinutesPerStep(30)
                    .over(CachedTicks.of(bars, DealPrice.CLOSE, 4)),
                states.apply(bars),
                actions,
                reward,
                null,
                List.of()),
        market,
        order,
        new Action.Discrete(1));
  }
}
