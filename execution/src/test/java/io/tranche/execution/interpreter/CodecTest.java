package io.tranche.execution.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.tranche.backtest.ChildOrder;
import io.tranche.execution.Episodes;
import io.tranche.execution.OrderCodec;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.SidedFeatures;
import io.tranche.testkit.Cases;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What is written is read as it was; damaged bytes are refused.
class CodecTest {

  private static final Order ORDER = Episodes.order(Side.SELL, 0.1 + 0.2, 3, 40);

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Writing writing) {
    var bytes = new ByteArrayOutputStream();
    try {
      writing.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static DataInputStream read(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  @Test
  void ordersArriveAsTheyWere() throws IOException {
    var odd = new Order("", Side.BUY, 0, ORDER.start().plusNanos(7), ORDER.end());
    for (Order order : List.of(ORDER, odd)) {
      assertThat(OrderCodec.read(read(bytes(out -> OrderCodec.write(order, out)))))
          .isEqualTo(order);
    }
  }

  @Test
  void observationsArriveAsTheyWere() throws IOException {
    assertEveryStepArrives(new FullHistoryInterpreter(5, 48, 2, FeatureDays.counting(48)));
    var mirrored =
        new FullHistoryInterpreter(5, 48, 2, SidedFeatures.mirrored(FeatureDays.counting(48), 10));
    assertEveryStepArrives(mirrored);
    assertEveryStepArrives(mirrored.inHindsight(new TeacherPermit("test")));
  }

  private static void assertEveryStepArrives(FullHistoryInterpreter interpreter)
      throws IOException {
    SimpleSimulator simulator = simulator();
    boolean goesOn = true;
    while (goesOn) {
      FullHistoryObservation seen = interpreter.observe(simulator.state());

      FullHistoryObservation arrived =
          interpreter.codec().read(read(bytes(out -> interpreter.codec().write(seen, out))));

      assertThat(Numbers.of(arrived.toValue())).isEqualTo(Numbers.of(seen.toValue()));
      goesOn = !simulator.isDone();
      if (goesOn) {
        simulator.step(ChildOrder.market(0.05));
      }
    }
  }

  private static SimpleSimulator simulator() {
    return SimpleSimulatorConfig.DEFAULT
        .withMinutesPerStep(10)
        .over(_ -> Episodes.rising(48))
        .create(ORDER);
  }

  @Test
  void damagedBytesAreRefusedOrRead() {
    var interpreter = new FullHistoryInterpreter(5, 48, 2, FeatureDays.counting(48));
    SimpleSimulator simulator = simulator();
    simulator.step(ChildOrder.market(0.05));
    byte[] sound =
        bytes(out -> interpreter.codec().write(interpreter.observe(simulator.state()), out));

    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatIOException().isThrownBy(() -> interpreter.codec().read(read(cut)));
    }
    var read = new AtomicInteger();
    var refused = new AtomicInteger();
    Cases.forAll(
        Cases.count(2_000, 100_000),
        random -> {
          byte[] damaged = sound.clone();
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
          try {
            FullHistoryObservation seen = interpreter.codec().read(read(damaged));
            byte[] again = bytes(out -> interpreter.codec().write(seen, out));
            // What is read is a whole observation, which can be written and read again.
            assertThat(Numbers.of(interpreter.codec().read(read(again)).toValue()))
                .isEqualTo(Numbers.of(seen.toValue()));
            read.incrementAndGet();
          } catch (EOFException e) {
            refused.incrementAndGet(); // a length that is not there
          } catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank();
            refused.incrementAndGet();
          }
        });
    assertThat(read).hasPositiveValue();
    assertThat(refused).hasPositiveValue();
  }
}
