package io.tranche.run.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.backtest.Frictions;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticConfig.Incidents;
import io.tranche.market.synthetic.SyntheticMarket;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderPlayerTest {

  private static final CachedBars BARS =
      new CachedBars(
          new SyntheticMarket(
              SyntheticConfig.DEFAULT.withSize(12, 40).withIncidents(Incidents.NONE)),
          12);
  private static final SimulatorFactory SIMULATORS =
      new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.NATIVE)
          .over(CachedTicks.of(BARS, DealPrice.CLOSE, 2_000));

  /// Acts by its draws alone, so every key matters.
  private static final Policy<DecisionView> DRAWING =
      (views, keys, _) -> {
        var actions = new Action[views.size()];
        for (int row = 0; row < actions.length; row++) {
          double share = RandomTree.generator(keys[row]).nextDouble();
          actions[row] = new Action.Continuous(share * views.get(row).remaining());
        }
        return actions;
      };

  private static List<Order> orders() {
    return OrderGenerator.DEFAULT.generate(BARS).stream()
        .map(order -> order.between(LocalTime.of(9, 30), LocalTime.of(15, 0)))
        .toList();
  }

  private static Candidate<DecisionView> drawing() {
    return new Candidate<>(
        "drawing", new DecisionInterpreter(), new VolumeInterpreter(), _ -> DRAWING);
  }

  private static PolicyResults played(int threads, List<Order> orders) {
    try (var parallel = new ParallelFor(threads)) {
      return new OrderPlayer(SIMULATORS, orders, parallel).run(drawing());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void threadsChangeNoResult(int threads) {
    List<Order> orders = orders();

    PolicyResults one = played(1, orders);

    assertThat(orders).hasSizeGreaterThan(256); // more than one group
    assertThat(one.orders()).extracting(OrderResult::order).isEqualTo(orders);
    assertThat(one.orders().stream().map(OrderResult::advantageBps).distinct())
        .hasSizeGreaterThan(orders.size() / 2);
    assertThat(played(threads, orders).isSameAs(one)).isTrue();
  }

  @Test
  void anOrderIsReplayedExactlyAsItWasPlayed() {
    List<Order> orders = orders();
    int last = orders.size() - 1;
    var seen = new ArrayList<DecisionView>();
    try (var parallel = new ParallelFor(1)) {
      var player = new OrderPlayer(SIMULATORS, orders, parallel);
      OrderResult played = player.run(drawing()).orders().get(last);

      var replayed = player.replay(drawing(), last, seen::add).state();

      assertThat(replayed.order()).isEqualTo(orders.get(last));
      assertThat(Objects.requireNonNull(replayed.metrics()).advantageBps())
          .isEqualTo(played.advantageBps());
      assertThat(seen).hasSize(replayed.step());
    }
  }

  @Test
  void anOrderThatCannotBePlayedIsPutAsideForAll() {
    List<Order> good = orders().subList(0, 3);
    Order first = good.getFirst();
    var stranger = new Order("NOBODY", Side.BUY, 100, first.start(), first.end());
    var orders = new ArrayList<>(good);
    orders.add(1, stranger);
    try (var parallel = new ParallelFor(2)) {
      var player = new OrderPlayer(SIMULATORS, orders, parallel);
      PolicyResults played = player.run(Candidate.rule("twap", new TwapBaseline()));

      assertThat(player.orders()).isEqualTo(good);
      assertThat(player.putAside())
          .singleElement()
          .satisfies(
              aside -> {
                assertThat(aside.order()).isEqualTo(stranger);
                assertThat(aside.reason()).contains("NOBODY");
              });
      assertThat(played.orders()).extracting(OrderResult::order).isEqualTo(good);
      assertThat(played.completion(null)).isEqualTo(1);
    }
  }

  @Test
  void dataThatBreakWhileAnOrderIsPlayedEndTheRun() {
    Order order = orders().getFirst();
    var candidate =
        Candidate.rule(
            "broken",
            _ -> {
              throw new DataException("bars", "a price", "none");
            });
    try (var parallel = new ParallelFor(2)) {
      var player = new OrderPlayer(SIMULATORS, List.of(order), parallel);

      assertThatExceptionOfType(DataException.class)
          .isThrownBy(() -> player.run(candidate))
          .withMessage("bars: expected a price, was none");
    }
  }

  @Test
  void withoutOrdersThereAreNoResults() {
    assertThat(played(2, List.of()).orders()).isEmpty();
  }
}
