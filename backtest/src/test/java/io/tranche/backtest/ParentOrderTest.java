package io.tranche.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.testkit.Cases;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParentOrderTest {

  @Test
  void goesFromWorkingOverPartlyFilledToDone() {
    var order = new ParentOrder(100, 1e-6);
    assertThat(order.status()).isEqualTo(Status.WORKING);

    order.submit(60);
    assertThat(order.available()).isEqualTo(40);
    order.fill(50);
    assertThat(order.status()).isEqualTo(Status.PARTLY_FILLED);
    assertThat(order.working()).isEqualTo(10);
    order.withdraw();
    order.submit(50);
    order.fill(50);

    assertThat(order.status()).isEqualTo(Status.DONE);
    assertThat(order.remaining()).isZero();
    assertThat(order.filled()).isEqualTo(100);
  }

  @Test
  void neverLetsOutMoreThanRemainsLessWhatIsWorking() {
    var order = new ParentOrder(100, 1e-6);
    order.submit(70);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> order.submit(31))
        .withMessage("volume must be in [0, 30.0], was 31.0");
    assertThatIllegalArgumentException().isThrownBy(() -> order.fill(71));
    assertThat(order.working()).isEqualTo(70);
    assertThat(order.remaining()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void refusesVolumesThatAreNone(double volume) {
    var order = new ParentOrder(100, 1e-6);
    order.submit(50);

    assertThatIllegalArgumentException().isThrownBy(() -> order.submit(volume));
    assertThatIllegalArgumentException().isThrownBy(() -> order.fill(volume));
    assertThatIllegalArgumentException().isThrownBy(() -> new ParentOrder(volume, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new ParentOrder(1, volume));
  }

  @Test
  void goesOnWhereAnotherStood() {
    var order = ParentOrder.restored(100, 1e-6, 40, 30, Status.PARTLY_FILLED);

    assertThat(order.available()).isEqualTo(10);
    order.fill(30);
    order.submit(10);
    order.fill(10);

    assertThat(order.status()).isEqualTo(Status.DONE);
  }

  @Test
  void cannotGoOnWhereNoneCanStand() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParentOrder.restored(100, 1e-6, 40, 41, Status.PARTLY_FILLED));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParentOrder.restored(100, 1e-6, 101, 0, Status.WORKING));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParentOrder.restored(100, 1e-6, 40, 0, Status.WORKING));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParentOrder.restored(100, 1e-6, 40, 0, Status.DONE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParentOrder.restored(100, 1e-6, Double.NaN, 0, Status.EXPIRED));
  }

  @Test
  void countsANegligibleRemainderAsNone() {
    var order = new ParentOrder(1, 1e-6);
    order.submit(1);
    order.fill(1 - 1e-7);

    assertThat(order.status()).isEqualTo(Status.DONE);
    assertThat(order.remaining()).isZero();
    assertThat(order.working()).isZero();
  }

  @Test
  void hasNothingToDoForAnAmountOfZero() {
    assertThat(new ParentOrder(0, 0).status()).isEqualTo(Status.DONE);
  }

  @Test
  void endsOnceAndStaysEnded() {
    for (Consumer<ParentOrder> end :
        List.<Consumer<ParentOrder>>of(
            ParentOrder::cancel,
            ParentOrder::expire,
            order -> {
              order.submit(100);
              order.fill(100);
            })) {
      var order = new ParentOrder(100, 1e-6);
      end.accept(order);

      assertThat(order.status().isFinal()).isTrue();
      assertThat(order.working()).isZero();
      assertThatIllegalStateException().isThrownBy(() -> order.submit(1));
      assertThatIllegalStateException().isThrownBy(() -> order.fill(1));
      assertThatIllegalStateException().isThrownBy(order::cancel);
      assertThatIllegalStateException().isThrownBy(order::expire);
    }
  }

  @Test
  void keepsItsBooksWhateverItIsTold() {
    Cases.forAll(
        Cases.count(10_000, 100_000),
        random -> {
          double amount = random.nextDouble(1, 1e6);
          var order = new ParentOrder(amount, 1e-9 * amount);
          double filled = 0;
          for (int i = 0; i < 20; i++) {
            double volume = random.nextDouble(-0.1, 0.6) * amount;
            Status before = order.status();
            double working = order.working();
            try {
              switch (random.nextInt(12)) {
                case 0 -> order.withdraw();
                case 1 -> order.cancel();
                case 2 -> order.expire();
                case 3, 4, 5, 6, 7 -> order.submit(volume);
                default -> {
                  order.fill(volume);
                  filled += volume;
                }
              }
              assertThat(before.isFinal() && order.status() != before).isFalse();
            } catch (IllegalStateException e) {
              assertThat(before.isFinal()).isTrue();
              assertThat(order.status()).isEqualTo(before);
            } catch (IllegalArgumentException e) {
              assertThat(order.status()).isEqualTo(before);
              assertThat(order.working()).isEqualTo(working);
            }
            assertThat(order.remaining()).isBetween(0.0, amount);
            assertThat(order.working()).isBetween(0.0, order.remaining());
            assertThat(Math.abs(order.filled() - filled)).isLessThan(1e-8 * amount);
          }
        });
  }

  @Test
  void aLateFillIsTakenWhateverIsWorkingOrOver() {
    var order = new ParentOrder(100, 1e-6);
    order.submit(60);
    order.withdraw();
    order.submit(100);

    order.fillLate(60);
    assertThat(order.remaining()).isEqualTo(40);
    assertThat(order.working()).isEqualTo(40);
    assertThat(order.status()).isEqualTo(Status.PARTLY_FILLED);
    order.cancel();
    order.fillLate(30);
    assertThat(order.remaining()).isEqualTo(10);
    order.fillLate(30);
    assertThat(order.remaining()).isZero();
    assertThat(order.status()).isEqualTo(Status.CANCELLED);
    for (double volume : new double[] {Double.NaN, 0, -1, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException().isThrownBy(() -> order.fillLate(volume));
    }
  }
}
