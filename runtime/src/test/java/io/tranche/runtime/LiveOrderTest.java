package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.time.LocalDateTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveOrderTest {

  private final TestModel model = TestModel.draw(TestModel.plainSpec(), 1, 1);
  private final TestDay day = new TestDay(model.spec(), "A", new SplittableRandom(1));
  private final DecisionRuntime runtime = model.newRuntime();
  private final LiveDay live = day.open(runtime);

  private LiveOrder open(String id, int hour, int minute, int endHour, int endMinute) {
    return live.openOrder(
        id,
        Side.SELL,
        1000,
        TestDay.DATE.atTime(hour, minute),
        TestDay.DATE.atTime(endHour, endMinute));
  }

  private void streamTo(int ticks) {
    while (live.ticks() < ticks) {
      live.bar(day.times[live.ticks()], day.bar(live.ticks()));
    }
  }

  @Test
  void decisionsLieAtTheBoundariesOfStepsAfterAShortFirstOne() {
    LiveOrder order = open("1", 9, 40, 11, 0);

    assertThat(order.isDue()).isFalse();
    assertThatThrownBy(order::decide)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a decision must be due");
    streamTo(10);
    assertThat(order.isDue()).isTrue();
    order.decide();
    assertThat(order.isDue()).isFalse();
    assertThat(order.nextTick()).isEqualTo(30);
    streamTo(30);
    order.decide();
    streamTo(60);
    assertThat(order.decide()).as("the last decision").isEqualTo(1000);
    assertThat(order.nextTick()).isEqualTo(90);
    streamTo(90);
    assertThat(order.isDue()).isFalse();
    assertThat(order.status()).isEqualTo(Status.WORKING);
    streamTo(91);
    assertThat(order.status()).isEqualTo(Status.EXPIRED);
    assertThat(order.working()).isZero();
  }

  @Test
  void whatIsNotFilledByTheNextDecisionIsWithdrawn() {
    LiveOrder order = open("1", 9, 30, 10, 30);

    order.decide();
    order.fill(order.working() / 2, 10);
    double left = order.remaining();
    streamTo(30);

    assertThat(order.decide()).isEqualTo(left);
    assertThat(order.working()).isEqualTo(left);
  }

  @Test
  void fillsAddUpToAnAveragePrice() {
    LiveOrder order = open("1", 9, 30, 9, 40); // its only decision asks for everything

    assertThat(order.decide()).isEqualTo(1000);
    assertThat(order.averagePrice()).isNaN();
    order.fill(250, 8);
    assertThat(order.status()).isEqualTo(Status.PARTLY_FILLED);
    order.fill(750, 12);

    assertThat(order.averagePrice()).isEqualTo(11);
    assertThat(order.filled()).isEqualTo(1000);
    assertThat(order.remaining()).isZero();
    assertThat(order.status()).isEqualTo(Status.DONE);
    assertThatThrownBy(() -> order.fill(1, 8)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(order::cancel).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({"-1, 8", "1001, 8", "NaN, 8", "1, 0", "1, NaN", "1, Infinity", "Infinity, 1"})
  void fillsThatCannotBeAreRefused(double volume, double price) {
    LiveOrder order = open("1", 9, 30, 9, 40);
    order.decide();

    assertThatThrownBy(() -> order.fill(volume, price))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(order.filled()).isZero();
    assertThat(order.remaining()).isEqualTo(1000);
  }

  @Test
  void aCancelledOrderIsNeverDue() {
    LiveOrder order = open("1", 9, 30, 10, 30);

    order.cancel();

    assertThat(order.isDue()).isFalse();
    assertThat(order.status()).isEqualTo(Status.CANCELLED);
    assertThat(runtime.decideAll(_ -> {})).isZero();
    assertThat(runtime.forgetFinished()).isEqualTo(1);
    assertThat(runtime.order("1")).isNull();
  }

  @Test
  void aDecisionThatNobodyTookAskedForNothing() {
    LiveOrder order = open("1", 9, 30, 14, 59);
    LiveOrder other = open("2", 9, 30, 14, 59);

    streamTo(65); // past 0 and 30, within the step that begins at 60
    order.decide();

    assertThat(order.step()).isEqualTo(3);
    assertThat(order.nextTick()).isEqualTo(90);
    assertThat(order.remainingAfter(0)).isEqualTo(1000);
    assertThat(runtime.decideAll(_ -> {})).isEqualTo(1);
    assertThat(other.choice()).isEqualTo(order.choice());
    assertThat(other.step()).isEqualTo(3);
  }

  @Test
  void anOrderThatComesLateBeginsNow() {
    streamTo(100);

    LiveOrder order = open("1", 9, 30, 14, 59);

    assertThat(order.isDue()).isTrue();
    assertThat(order.nextTick()).isEqualTo(100);
    assertThat(order.step()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1, 2026-03-03T09:30, 2026-03-03T10:00, id must have",
    "1, 0, 2026-03-03T09:30, 2026-03-03T10:00, amount of order 1 must be finite and positive",
    "1, NaN, 2026-03-03T09:30, 2026-03-03T10:00, amount of order 1",
    "1, Infinity, 2026-03-03T09:30, 2026-03-03T10:00, amount of order 1",
    "1, 1, 2026-03-02T09:30, 2026-03-03T10:00, must be on the trading day 2026-03-03",
    "1, 1, 2026-03-03T09:30, 2026-03-04T10:00, must be on the trading day 2026-03-03",
    "1, 1, 2026-03-03T11:30, 2026-03-03T13:00, must have a tick of A 2026-03-03",
    "1, 1, 2026-03-03T10:30, 2026-03-03T10:00, must have a tick of A 2026-03-03",
    "taken, 1, 2026-03-03T09:30, 2026-03-03T10:00, 'id must be new, was ''taken'''",
  })
  void ordersThatCannotBeAreRefused(
      String id, double amount, LocalDateTime start, LocalDateTime end, String message) {
    open("taken", 9, 30, 10, 0);

    assertThatThrownBy(() -> live.openOrder(id, Side.BUY, amount, start, end))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    assertThat(runtime.orders()).hasSize(1);
  }

  @Test
  void closingADayExpiresItsOrders() {
    LiveOrder order = open("1", 9, 30, 14, 59);
    order.decide();

    live.close();

    assertThat(order.status()).isEqualTo(Status.EXPIRED);
    assertThat(order.isDue()).isFalse();
    assertThat(runtime.orders()).isEmpty();
  }

  @Test
  void noDayIsClosedWhileDecisionsAreTaken() {
    open("1", 9, 30, 14, 59);

    assertThatThrownBy(() -> runtime.decideAll(_ -> live.close()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("decisions must not be in progress");
    live.close();
  }

  @Test
  void whateverHappensNothingIsSoldTwice() {
    int tries = Cases.count(20, 500);
    for (int i = 0; i < tries; i++) {
      workAtRandom(new SplittableRandom(i), "try " + i);
    }
  }

  private void workAtRandom(SplittableRandom random, String what) {
    DecisionRuntime fresh = TestModel.draw(model.spec(), 1, random.nextLong()).newRuntime();
    LiveDay stream = day.open(fresh);
    double amount = random.nextDouble(1, 1e6);
    LiveOrder order =
        stream.openOrder(
            "1", Side.BUY, amount, TestDay.DATE.atTime(9, 30), TestDay.DATE.atTime(14, 59));
    double sent = 0;
    double filled = 0;
    for (int tick = 0; tick < day.count(); tick++) {
      if (order.isDue() && random.nextInt(10) > 0) {
        double volume = order.decide();
        assertThat(volume).as(what).isBetween(0.0, order.remaining());
        sent = volume;
      }
      if (!order.status().isFinal() && random.nextInt(4) == 0) {
        double fill =
            random.nextBoolean() ? order.working() : random.nextDouble() * order.working();
        order.fill(fill, 10);
        filled += fill;
        sent -= fill;
      }
      if (!order.status().isFinal() && random.nextInt(2000) == 0) {
        order.cancel();
      }
      assertThat(order.working()).as(what).isBetween(0.0, order.remaining());
      if (!order.status().isFinal()) {
        assertThat(order.working()).as(what).isCloseTo(sent, within(1e-6 * amount));
      }
      assertThat(order.remaining() + filled).as(what).isCloseTo(amount, within(1e-8 * amount));
      stream.bar(day.times[tick], day.bar(tick));
    }
    assertThat(order.filled()).as(what).isEqualTo(filled).isLessThanOrEqualTo(amount * (1 + 1e-9));
  }
}
