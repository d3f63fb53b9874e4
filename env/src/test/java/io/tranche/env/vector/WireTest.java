package io.tranche.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.Action;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Step;
import io.tranche.env.Value;
import io.tranche.env.Value.ElementType;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.WalkSpec;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WireTest {

  private final StepCodec<Seen> codec = new StepCodec<>(new WalkSpec("none", 0).observations());

  @Test
  void stepsCrossWithAllTheyLog() throws IOException {
    Step<Seen> step = step();

    Step<Seen> read = codec.read(in(bytes(step)), new LogCollector(LogLevel.DEBUG));

    assertThat(read.observation()).isEqualTo(step.observation());
    assertThat(read.reward()).isEqualTo(step.reward());
    assertThat(read.done()).isTrue();
    Map<String, LogCollector.Entry> expected = new LinkedHashMap<>(step.log().entries());
    expected.replace("odd", new LogCollector.Entry(LogLevel.INFO, "Seen[position=9, target=9]"));
    expected.remove("array");
    Map<String, LogCollector.Entry> found = new LinkedHashMap<>(read.log().entries());
    assertThat(found.remove("array")).extracting(e -> e.value()).isEqualTo(new double[] {1, 2});
    assertThat(found).containsExactlyEntriesOf(expected);
    // All else as bytes, in which side information is equal if it is equal.
    assertThat(bytes(new Step<>(step.observation(), 0, true, read.aux(), step.log())))
        .isEqualTo(bytes(new Step<>(step.observation(), 0, true, step.aux(), step.log())));
  }

  @Test
  void damagedStepsAreRefusedByNameAndWithoutMemory() {
    byte[] good = bytes(step());
    Cases.forAll(
        Cases.count(3_000, 100_000),
        random -> {
          byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
          for (int i = random.nextInt(3); i >= 0 && bad.length > 0; i--) {
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
          }
          long allocated =
              Allocation.bytesOf(
                  () -> {
                    try {
                      codec.read(in(bad), new LogCollector(LogLevel.DEBUG));
                    } catch (IOException | IllegalArgumentException e) {
                      assertThat(e).isNotNull();
                    }
                  });

          assertThat(allocated).isLessThan(1 << 20);
        });
  }

  @Test
  void messagesAreMarkedAndBounded() throws IOException {
    var sent = new ByteArrayOutputStream();
    new Wire(InputStream.nullInputStream(), sent, 10)
        .send(Wire.Kind.STEP, body -> body.writeInt(5));
    byte[] message = sent.toByteArray();

    assertThat(receive(message, 10).body().readInt()).isEqualTo(5);
    assertThatThrownBy(() -> receive(message, 3)).isInstanceOf(StreamCorruptedException.class);
    assertThatThrownBy(() -> receive(Arrays.copyOf(message, message.length - 1), 10))
        .isInstanceOf(EOFException.class);
    byte[] unmarked = message.clone();
    unmarked[0]++;
    assertThatThrownBy(() -> receive(unmarked, 10)).isInstanceOf(StreamCorruptedException.class);
  }

  private static Wire.Message receive(byte[] bytes, int limit) throws IOException {
    return new Wire(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream(), limit)
        .receive();
  }

  private static Step<Seen> step() {
    var seen = new Seen(3, 4);
    var log = new LogCollector(LogLevel.DEBUG);
    log.clear();
    log.scalar("number", 1.5);
    log.any("text", "word", LogLevel.INFO);
    log.any("time", LocalDateTime.of(2020, 1, 2, 9, 30), LogLevel.INFO);
    log.any("array", new double[] {1, 2}, LogLevel.CRITICAL);
    log.any("truth", true, LogLevel.INFO);
    log.any("nothing", null, LogLevel.INFO);
    log.any("obs", seen, LogLevel.DEBUG);
    log.any("policy_act", new Action.Continuous(0.5), LogLevel.DEBUG);
    log.any("odd", new Seen(9, 9), LogLevel.INFO);
    Value aux =
        new Value.Dict(
            Map.of(
                "a",
                new Value.Tuple(
                    List.of(
                        new Value.Floats(ElementType.FLOAT32, List.of(2, 1), 1, 2),
                        new Value.Integers(ElementType.INT8, List.of(1), 1),
                        new Value.Integers(ElementType.INT8, List.of(7, 0)),
                        new Value.Plain(null),
                        new Value.Plain(2L),
                        new Value.Plain(2.5),
                        new Value.Plain("x"),
                        new Value.Plain(false)))));
    return new Step<>(seen, -0.25, true, aux, log);
  }

  private byte[] bytes(Step<Seen> step) {
    var bytes = new ByteArrayOutputStream();
    try {
      codec.write(step, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
