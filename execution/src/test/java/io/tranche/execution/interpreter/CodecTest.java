package io.tranche.execution.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.Observation;
import io.tranche.env.vector.Codec;
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
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What crosses between processes arrives as it was; damaged bytes are refused.
class CodecTest {

  private static final Order ORDER = Episodes.order(Side.SELL, 0.1 + 0.2, 3, 40);

  private static <T> byte[] bytes(Codec<T> codec, T value) {
    var bytes = new ByteArrayOutputStream();
    try {
      codec.write(value, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(Codec<T> codec, byte[] bytes) throws IOException {
    return codec.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  @Test
  void ordersArriveAsTheyWere() throws IOException {
    var odd = new Order("", Side.BUY, 0, ORDER.start().plusNanos(7), ORDER.end());
    for (Order order : List.of(ORDER, odd)) {
      assertThat(read(new OrderCodec(), bytes(new OrderCodec(), order))).isEqualTo(order);
    }
  }

  @Test
  void observationsArriveAsTheyWere() throws IOException {
    assertEveryStepArrives(new FullHistoryInterpreter(5, 48, 2, FeatureDays.counting(48)));
    var mirrored =
        new FullHistoryInterpreter(5, 48, 2, SidedFeatures.mirrored(FeatureDays.counting(48), 10));
    assertEveryStepArrives(mirrored);
    assertEveryStepArrives(mirrored.inHindsight(new TeacherPermit("test")));
    assertEveryStepArrives(CurrentStepInterpreter.of(5));
    assertEveryStepArrives(new DummyInterpreter());
  }

  private static <O extends Observation> void assertEveryStepArrives(
      CodedInterpreter<O> interpreter) throws IOException {
    SimpleSimulator simulator = simulator();
    boolean goesOn = true;
    while (goesOn) {
      O seen = interpreter.observe(simulator.state());

      O arrived = read(interpreter.codec(), bytes(interpreter.codec(), seen));

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
    byte[] sound = bytes(interpreter.codec(), interpreter.observe(simulator.state()));

    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatIOException().isThrownBy(() -> read(interpreter.codec(), cut));
    }
    Cases.forAll(
        Cases.count(2_000, 100_000),
        random -> {
          byte[] damaged = sound.clone();
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
          try {
            read(interpreter.codec(), damaged).toValue();
          } catch (IOException e) {
            assertThat(e).isNotNull(); // anything else would end the test
          }
        });
  }
}
