package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Decisions that somebody else takes: the model is asked, told, and goes on as if it had decided.
class AdviceTest {

  private final TestModel model = TestModel.draw(TestModel.plainSpec(), 2, 1);
  private final TestDay day = new TestDay(model.spec(), "A", new SplittableRandom(1));

  private LiveOrder open(LiveDay live) {
    return live.openOrder(
        "1", Side.SELL, 1000, TestDay.DATE.atTime(9, 30), TestDay.DATE.atTime(14, 59));
  }

  @Test
  void adviceThatIsTakenIsADecision() {
    LiveDay one = day.open(model.newRuntime());
    LiveDay other = day.open(model.newRuntime());
    LiveOrder decides = open(one);
    LiveOrder advises = open(other);

    for (int tick = 0; tick < day.count(); tick++) {
      if (decides.isDue()) {
        double volume = decides.decide();
        double advice = advises.advise();

        assertThat(advice).isEqualTo(volume);
        assertThat(advises.isAdvised()).isTrue();
        assertThat(advises.isDue()).isFalse();
        assertThat(advises.seen()).isEqualTo(advises.remaining());
        advises.decideAs(advises.step(), advises.remaining(), advice);
        assertThat(advises.choice()).isEqualTo(decides.choice());
        assertThat(advises.working()).isEqualTo(decides.working());
        if (volume > 0) {
          decides.fill(volume / 3, 10);
          advises.fill(volume / 3, 10);
        }
      }
      one.bar(day.times[tick], day.bar(tick));
      other.bar(day.times[tick], day.bar(tick));
    }

    assertThat(advises.step()).isEqualTo(decides.step()).isEqualTo(8);
  }

  @Test
  void whatFollowsIsTheSameWhetherOrNotTheModelWasAsked() {
    Cases.forAll(
        Cases.count(10, 300),
        random -> {
          LiveDay asked = day.open(model.newRuntime());
          LiveDay told = day.open(model.newRuntime());
          LiveOrder first = open(asked);
          LiveOrder second = open(told);

          for (int tick = 0; tick < day.count(); tick++) {
            boolean isSkipped = random.nextInt(4) == 0;
            if (first.isDue() && !isSkipped && tick % 30 == 0) {
              double advice = first.advise();
              int step = first.step();
              double seen = first.remaining();
              double volume = random.nextBoolean() ? advice : random.nextDouble(seen + 1);
              // A fill of the child before may come while the decision is being taken.
              if (first.working() > 0 && random.nextBoolean()) {
                double part = first.working() / 2;
                first.fill(part, 10);
                second.fill(part, 10);
              }
              first.decideAs(step, seen, volume);
              second.decideAs(step, seen, volume);
              assertThat(second.working()).isEqualTo(first.working());
            }
            asked.bar(day.times[tick], day.bar(tick));
            told.bar(day.times[tick], day.bar(tick));
          }
          assertThat(second.step()).isEqualTo(first.step());
          assertThat(second.remaining()).isEqualTo(first.remaining());
        });
  }

  @Test
  void refusesWhatCannotBe() {
    LiveDay live = day.open(model.newRuntime());
    LiveOrder order = open(live);

    assertThatThrownBy(order::seen).isInstanceOf(IllegalStateException.class);
    order.advise();
    assertThatThrownBy(order::advise).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(order::decide).isInstanceOf(IllegalStateException.class);
    assertThat(live.runtime().decideAll(_ -> {})).isZero();
    assertThatThrownBy(() -> order.decideAs(1, 1000, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> order.decideAs(0, 1000, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> order.decideAs(8, 1000, 1))
        .isInstanceOf(IllegalArgumentException.class);
    order.decideAs(0, 1000, 2000);
    assertThat(order.working()).as("never more than remains").isEqualTo(1000);
    order.decideAs(3, 1000, 10);
    assertThat(order.step()).isEqualTo(4);
    order.cancel();
    assertThatThrownBy(() -> order.decideAs(4, 1000, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void featuresOfTicksThatHavePassedCanBeSeen() {
    LiveDay live = day.open(model.newRuntime());
    live.bar(day.times[0], day.bar(0));

    assertThat(live.feature(0, 1)).isEqualTo(day.bar(0)[1]);
    assertThatThrownBy(() -> live.feature(1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
