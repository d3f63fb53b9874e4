package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Side;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What bars, decisions and fills cost.
class HotPathTest {

  private static final int EVERY_TICK = 1;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{class: RecurrentNetwork, kwargs: {hidden: 64}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 8, cell: lstm, depth: 2}}",
        "{class: Mlp}",
        "{class: Mlp, kwargs: {layers: [dense: 8, norm, relu, residual: [dense: 8, sigmoid]]}}",
        "{class: DualAttention, kwargs: {hidden: 8}}",
        "{class: CausalTransformer, kwargs: {hidden: 8, heads: 2, inner: 8}}",
        "{class: Layers, kwargs: {hidden: 7, output: 6, layers: [dense: 8, relu, positions: 240,"
            + " residual: [norm, attention: 2, dense: 8], dropout: 0.1,"
            + " concat: [[gru: {width: 3, depth: 2}, tanh], lstm: 4, sigmoid], rnn: 5]}}"
      })
  void barsDecisionsAndFillsAllocateNothing(String network) {
    requireNoAllocation(TestModel.spec(network, TestModel.PPO, TestModel.SHARES));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}               | Ppo, head: gaussian
          {class: VolumeInterpreter, kwargs: {max_share: 0.5}}                  | Ppo, head: beta
          {class: QuoteInterpreter, kwargs: {max_offset_bps: 5}}                | Sac, hidden: 4
          {class: QuoteInterpreter, kwargs: {max_offset_bps: 5, max_rate: 4}}   | Ppo, head: gaussian
          """)
  void continuousDecisionsAllocateNothing(String actions, String policy) {
    String[] parts = policy.split(", ", 2);
    requireNoAllocation(
        TestModel.spec(
            "{class: RecurrentNetwork, kwargs: {hidden: 8}}",
            "{class: %s, kwargs: {learning_rate: 0.001, %s}}".formatted(parts[0], parts[1]),
            actions));
  }

  private static void requireNoAllocation(ModelSpec spec) {
    var every = TestModel.over(spec, spec.session(), spec.frequency(), EVERY_TICK, true);
    DecisionRuntime runtime = TestModel.draw(every, 2, 1).newRuntime();
    var day = new TestDay(every, "A", new SplittableRandom(1));
    var bars = new ArrayList<float[]>();
    for (int tick = 0; tick < day.count(); tick++) {
      bars.add(day.bar(tick));
    }
    long wanted = Cases.count(5_000, 1_000_000);
    long[] taken = new long[1];
    Consumer<LiveOrder> fill =
        order -> {
          taken[0]++;
          order.fill(order.working() / 100, 10);
        };
    long worst = Long.MAX_VALUE;

    // The compilers need a while to settle, which depends on what else the machine does; after that
    // not a byte.
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while ((worst > 0 || taken[0] < wanted) && System.nanoTime() - end < 0) {
      LiveDay live = day.open(runtime);
      for (int i = 0; i < 4; i++) {
        live.openOrder(
            "" + i,
            i % 2 == 0 ? Side.BUY : Side.SELL,
            1e6,
            TestDay.DATE.atTime(9, 30),
            TestDay.DATE.atTime(14, 59));
      }
      long bytes = Allocation.bytesOf(() -> stream(day, bars, runtime, live, fill));
      if (bytes > 0 || worst == Long.MAX_VALUE) {
        worst = bytes;
        taken[0] = 0;
      } else {
        worst = 0;
      }
      live.close();
    }

    assertThat(worst).isZero();
    assertThat(taken[0]).isGreaterThanOrEqualTo(wanted);
  }

  private static void stream(
      TestDay day,
      List<float[]> bars,
      DecisionRuntime runtime,
      LiveDay live,
      Consumer<LiveOrder> fill) {
    for (int tick = 0; tick < day.times.length; tick++) {
      if (tick % 2 == 0) {
        runtime.decideAll(fill);
      } else {
        List<LiveOrder> orders = runtime.orders();
        for (int i = 0; i < orders.size(); i++) {
          LiveOrder order = orders.get(i);
          if (order.isDue()) {
            order.decide();
            fill.accept(order);
          }
        }
      }
      if (tick % 9 != 4) { // some are missing
        live.bar(day.times[tick], bars.get(tick));
      }
    }
  }

  @Test
  void aThousandInstrumentsWithTenOrdersEachAdvance() {
    int instruments = Cases.count(100, 1000);
    LoadedModel model = TestModel.draw(TestModel.plainSpec(), 1, 1).load();
    var runtime = new DecisionRuntime(model);
    var day = new TestDay(model.spec(), "A", new SplittableRandom(1));
    for (int i = 0; i < instruments; i++) {
      LiveDay live = runtime.openDay("I" + i, TestDay.DATE, List.of(day.earlier));
      for (int j = 0; j < 10; j++) {
        live.openOrder(
            i + "-" + j,
            j % 2 == 0 ? Side.BUY : Side.SELL,
            100 + j,
            TestDay.DATE.atTime(9, 30),
            TestDay.DATE.atTime(14, 59));
      }
    }

    int decisions = 0;
    for (int tick = 0; tick < day.count(); tick++) {
      decisions += runtime.decideAll(order -> order.fill(order.working() / 2, 10));
      float[] bar = day.bar(tick);
      for (LiveDay live : runtime.days()) {
        assertThat(live.bar(day.times[tick], bar)).isEqualTo(BarAnswer.TAKEN);
      }
    }

    assertThat(decisions).isEqualTo(8 * 10 * instruments);
    while (!runtime.days().isEmpty()) {
      runtime.days().getLast().close();
    }
    assertThat(runtime.orders()).isEmpty();
  }
}
