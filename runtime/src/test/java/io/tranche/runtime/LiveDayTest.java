package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LiveDayTest {

  private final TestModel model = TestModel.draw(TestModel.plainSpec(), 1, 1);
  private final TestDay day = new TestDay(model.spec(), "A", new SplittableRandom(1));
  private final DecisionRuntime runtime = model.newRuntime();
  private final LiveDay live = day.open(runtime);

  @Test
  void theNextBarIsTaken() {
    assertThat(live.bar(day.times[0], day.bar(0))).isEqualTo(BarAnswer.TAKEN);
    assertThat(live.ticks()).isEqualTo(1);
  }

  @Test
  void theSameBarAgainIsRepeated() {
    live.bar(day.times[0], day.bar(0));
    live.bar(day.times[1], day.bar(1));

    assertThat(live.bar(day.times[0], day.bar(0))).isEqualTo(BarAnswer.REPEATED);
    assertThat(live.ticks()).isEqualTo(2);
  }

  @Test
  void otherValuesForATickContradict() {
    live.bar(day.times[0], day.bar(0));

    assertThat(live.bar(day.times[0], day.bar(1))).isEqualTo(BarAnswer.CONTRADICTING);
    assertThat(live.bar(day.times[0], day.bar(0))).isEqualTo(BarAnswer.REPEATED);
  }

  @Test
  void aBarThatOthersHaveOvertakenIsLate() {
    live.bar(day.times[2], day.bar(2));

    assertThat(live.ticks()).isEqualTo(3);
    assertThat(live.bar(day.times[1], day.bar(1))).isEqualTo(BarAnswer.LATE);
    assertThat(live.bar(day.times[1], nothing())).isEqualTo(BarAnswer.REPEATED);
  }

  @Test
  void aTimeThatIsNoTickIsOutside() {
    assertThat(live.bar(day.times[0] + 1, day.bar(0))).isEqualTo(BarAnswer.OUTSIDE);
    assertThat(live.bar(day.times[0] - 60, day.bar(0))).isEqualTo(BarAnswer.OUTSIDE);
    assertThat(live.bar(day.times[119] + 60, day.bar(0))).as("lunch").isEqualTo(BarAnswer.OUTSIDE);
    assertThat(live.ticks()).isZero();
  }

  @Test
  void aGapIsTheSameAsMissingBars() {
    DecisionRuntime other = model.newRuntime();
    LiveDay whole = day.open(other);
    DecisionRuntime third = model.newRuntime();
    LiveDay skipped = day.open(third);
    for (int tick = 0; tick < 29; tick++) {
      boolean isMissing = tick > 3 && tick < 17;
      whole.bar(day.times[tick], isMissing ? nothing() : day.bar(tick));
      if (!isMissing) {
        live.bar(day.times[tick], day.bar(tick));
        skipped.bar(day.times[tick], day.bar(tick));
      }
    }
    whole.bar(day.times[29], nothing());
    live.bar(day.times[29], nothing());
    skipped.skipTo(day.times[30]);

    assertThat(live.ticks()).isEqualTo(30);
    assertThat(Arrays.equals(runtime.snapshot(), other.snapshot())).isTrue();
    assertThat(Arrays.equals(runtime.snapshot(), third.snapshot())).isTrue();
  }

  @Test
  void aBarOfAnotherShapeIsRefused() {
    assertThatThrownBy(() -> live.bar(day.times[0], new float[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "values must be 4, one for each of [close, high, low, volume], was 3");
  }

  @Test
  void anInfiniteValueIsRefusedAndChangesNothing() {
    float[] bar = day.bar(5);
    bar[2] = Float.POSITIVE_INFINITY;

    assertThatThrownBy(() -> live.bar(day.times[5], bar))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("A 2026-03-03 09:35:00: expected a number, or NaN for none");
    assertThat(live.ticks()).isZero();
  }

  @Test
  void aDayBeginsOnceAndEndsOnce() {
    assertThatThrownBy(() -> day.open(runtime))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("day must be new, was open: A 2026-03-03");

    live.close();
    live.close();

    assertThat(runtime.days()).isEmpty();
    assertThatThrownBy(() -> live.bar(day.times[0], day.bar(0)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(day.open(runtime).ticks()).isZero();
  }

  @Test
  void theNightOfAMondayIsOnFridayEvening() {
    ModelSpec spec =
        TestModel.over(
            TestModel.plainSpec(), Session.CHINA_FUTURES, Frequency.ofMinutes(30), 2, false);
    LiveDay monday =
        TestModel.draw(spec, 1, 1).newRuntime().openDay("A", LocalDate.of(2026, 3, 2), List.of());

    assertThat(BarTime.format(monday.time(0))).isEqualTo("2026-02-27 21:00:00");
    assertThat(BarTime.format(monday.time(11))).isEqualTo("2026-03-02 09:00:00");
  }

  @Test
  void noDecisionSeesABarThatComesAfterIt() {
    int tries = Cases.count(10, 100);
    int different = 0;
    for (int i = 0; i < tries; i++) {
      var random = new SplittableRandom(i);
      TestModel drawn = TestModel.draw(model.spec(), 1, i);
      int changed = random.nextInt(1, day.count());

      List<Double> first = decisions(drawn, -1, random.nextInt());
      List<Double> second = decisions(drawn, changed, random.nextInt());

      int before = 1 + changed / 30; // those at or before the tick that was changed
      assertThat(second.subList(0, before)).isEqualTo(first.subList(0, before));
      different += second.equals(first) ? 0 : 1;
    }
    assertThat(different).as("days whose later decisions changed").isPositive();
  }

  /// Returns the choices for an order over the whole day, bars from `changed` on being others.
  private List<Double> decisions(TestModel drawn, int changed, int noise) {
    DecisionRuntime fresh = drawn.newRuntime();
    LiveDay stream = day.open(fresh);
    LiveOrder order =
        stream.openOrder(
            "1", Side.BUY, 100, TestDay.DATE.atTime(9, 30), TestDay.DATE.atTime(14, 59));
    var taken = new ArrayList<Double>();
    for (int tick = 0; tick < day.count(); tick++) {
      if (order.isDue()) {
        taken.add(order.decide());
      }
      float[] bar = day.bar(tick);
      if (changed >= 0 && tick >= changed) {
        bar[tick % bar.length] = noise;
      }
      stream.bar(day.times[tick], bar);
    }
    assertThat(taken).hasSize(8);
    return taken;
  }

  private static float[] nothing() {
    float[] bar = new float[4];
    Arrays.fill(bar, Float.NaN);
    return bar;
  }
}
