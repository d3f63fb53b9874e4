package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.policy.weights.CheckpointException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SnapshotTest {

  private static final int ORDERS = 20;

  static List<ModelSpec> specs() {
    ModelSpec dual =
        TestModel.spec(
            "{class: DualAttention, kwargs: {hidden: 6}}", TestModel.PPO, TestModel.SHARES);
    ModelSpec quotes =
        TestModel.spec(
            TestModel.RECURRENT,
            TestModel.PPO,
            "{class: QuoteInterpreter, kwargs: {shares: 2, offsets_bps: [market, 5]}}");
    ModelSpec transformer =
        TestModel.spec(
            "{class: CausalTransformer, kwargs: {hidden: 6, heads: 2}}",
            TestModel.PPO,
            TestModel.SHARES);
    return List.of(
        TestModel.plainSpec(),
        TestModel.over(TestModel.plainSpec(), Session.CHINA_STOCKS, Frequency.MINUTE, 30, true),
        TestModel.plainSpec().withQlib(true),
        dual,
        quotes,
        transformer);
  }

  @ParameterizedTest
  @MethodSource("specs")
  void afterARestoreEverythingGoesOnBitForBit(ModelSpec spec) {
    TestModel model = TestModel.draw(spec, 2, 3);
    LoadedModel loaded = model.load();
    for (int stop : new int[] {0, 45, 239}) {
      var straight = new Run(model, new DecisionRuntime(loaded));
      var cut = new Run(model, new DecisionRuntime(loaded));
      cut.stream(0, stop);
      byte[] saved = cut.runtime.snapshot();
      DecisionRuntime restored = DecisionRuntime.restore(loaded, saved);
      assertThat(restored.snapshot()).isEqualTo(saved);

      cut.runtime = restored;
      cut.stream(stop, 240);
      straight.stream(0, 240);

      assertThat(cut.told).isEqualTo(straight.told);
      assertThat(cut.runtime.snapshot()).isEqualTo(straight.runtime.snapshot());
    }
  }

  /// Two days and random orders on them, worked at random but always the same.
  private static final class Run {
    private final List<TestDay> days;
    private final List<String> told = new ArrayList<>();
    private final List<Order> orders = new ArrayList<>();
    private DecisionRuntime runtime;

    Run(TestModel model, DecisionRuntime runtime) {
      var random = new SplittableRandom(9);
      this.runtime = runtime;
      days =
          List.of(new TestDay(model.spec(), "A", random), new TestDay(model.spec(), "B", random));
      days.forEach(day -> day.open(runtime));
      for (int i = 0; i < ORDERS; i++) {
        Order order = days.get(i % 2).draw(random);
        orders.add(order);
        runtime
            .days()
            .get(i % 2)
            .openOrder("" + i, order.side(), order.amount(), order.start(), order.end());
      }
    }

    void stream(int from, int to) {
      for (int tick = from; tick < to; tick++) {
        int now = tick;
        if (tick % 7 != 3) { // some decisions are late, some are missed
          runtime.decideAll(
              order -> {
                told.add("%d %s %s %s".formatted(now, order.id(), order.volume(), order.kind()));
                order.fill(order.working() * ((now * 31 + order.step()) % 10) / 10, 9 + now % 3);
              });
        }
        if (tick == 100) {
          for (LiveOrder order : runtime.orders()) {
            if (order.id().endsWith("5") && !order.status().isFinal()) {
              order.cancel();
            }
          }
        }
        for (int i = 0; i < days.size(); i++) {
          TestDay day = days.get(i);
          if ((tick + i) % 11 != 0) {
            runtime.days().get(i).bar(day.times[tick], day.bar(tick));
          } else if (tick == to - 1) {
            runtime.days().get(i).skipTo(day.times[tick] + 60);
          }
        }
      }
    }
  }

  @Test
  void otherBytesAreRefused() {
    TestModel model = TestModel.draw(TestModel.plainSpec(), 1, 3);
    LoadedModel loaded = model.load();
    LoadedModel other = TestModel.draw(TestModel.plainSpec(), 1, 4).load();
    var run = new Run(model, new DecisionRuntime(loaded));
    run.stream(0, 33);
    byte[] saved = run.runtime.snapshot();

    assertThatThrownBy(() -> DecisionRuntime.restore(other, saved))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("snapshot: expected model " + other.fingerprint())
        .hasMessageContaining(loaded.fingerprint());
    assertThatThrownBy(() -> DecisionRuntime.restore(loaded, new byte[0]))
        .isInstanceOf(CheckpointException.class);
    assertThatThrownBy(() -> DecisionRuntime.restore(loaded, new byte[1000]))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("a snapshot of a runtime");
    assertThatThrownBy(
            () -> DecisionRuntime.restore(loaded, Arrays.copyOf(saved, saved.length - 1)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("the bytes that were written");
    byte[] newer = saved.clone();
    newer[7]++;
    assertThatThrownBy(() -> DecisionRuntime.restore(loaded, newer))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("expected version 3, was 4");
  }
}
