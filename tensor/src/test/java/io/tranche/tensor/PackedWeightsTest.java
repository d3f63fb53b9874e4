package io.tranche.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Allocation;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Quantised matrices stay small, and no output changes a bit.
class PackedWeightsTest {

  private static final int STEPS = 6;

  /// A network over a day, as the runtime streams it.
  private static final class Small {
    final Weights weights = new Weights();
    final Linear first;
    final Rnn rnn;
    final Linear last;
    final int hidden;

    Small(RnnType type, int hidden) {
      this.hidden = hidden;
      first = Linear.withRelu(weights, "first", 5, hidden);
      rnn = new Rnn(weights, "rnn", type, hidden, hidden, 1);
      last = Linear.plain(weights, "last", hidden, hidden - 3);
      var random = new SplittableRandom(3);
      first.initialise(random);
      rnn.initialise(random);
      last.initialise(random);
    }

    /// Rounds every matrix row to 127 multiples on each side of a scale, as a quantised file has.
    void toBytes() {
      for (Parameter each : weights.parameters()) {
        if (each.isVector()) {
          continue;
        }
        float[] rows = Weights.rowMajor(each, weights.values());
        for (int i = 0; i < rows.length; i++) {
          // The first number of a row is its largest.
          float scale = 0x1p-9f * (1 + i / each.columns() % 7);
          rows[i] = i % each.columns() == 0 ? -127 * scale : (int) (rows[i] * 1_000) % 127 * scale;
        }
        weights.load(each, rows);
      }
    }

    void toHalves() {
      for (int i = 0; i < weights.size(); i++) {
        weights.values()[i] = Float.float16ToFloat(Float.floatToFloat16(weights.values()[i]));
      }
      weights.changed();
    }

    /// Streams some lanes; returns the bits of everything that comes out.
    int[] run(int lanes) {
      Rnn.Stream stream = rnn.newStream(lanes);
      Rows x = Rows.zeros(lanes, 5);
      Rows encoded = Rows.zeros(lanes, hidden);
      Rows y = Rows.zeros(lanes, hidden - 3);
      int[] bits = new int[STEPS * y.data.length];
      for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < x.data.length; i++) {
          x.data[i] = (float) Math.sin(7 * i + step);
        }
        first.forward(lanes, x, encoded);
        stream.step(0, lanes, encoded);
        last.forward(lanes, stream.output(), y);
        for (int i = 0; i < y.data.length; i++) {
          bits[step * y.data.length + i] = Float.floatToRawIntBits(y.data[i]);
        }
      }
      return bits;
    }
  }

  /// The gates of 64 and 192 fill whole tiles of the kernels; their last layer stays in float32. At
  /// 260 it is large enough to be in bytes too.
  @ParameterizedTest
  @CsvSource({"64, false", "192, false", "260, true"})
  void bytesKeepEveryBitOfEveryOutput(int hidden, boolean isLastInBytes) {
    for (RnnType type : RnnType.values()) {
      bytesKeepEveryBit(new Small(type, hidden), isLastInBytes);
    }
  }

  private static void bytesKeepEveryBit(Small network, boolean isLastInBytes) {
    network.toBytes();
    int[] one = network.run(1);
    int[] seven = network.run(7);
    long packed = network.weights.bytes();
    for (Parameter each : network.weights.parameters()) {
      if (each.name().startsWith("rnn.weight")
          || (isLastInBytes && each.name().equals("last.weight"))) {
        // One byte instead of four for each number, and a scale for each row.
        packed -= 3L * each.size() - 4L * each.rows();
      }
    }

    network.weights.pack();

    assertThat(network.run(1)).isEqualTo(one);
    assertThat(network.run(7)).isEqualTo(seven);
    assertThat(Arrays.stream(one).distinct().count())
        .isGreaterThan(Math.min(500, 5 * network.hidden));
    assertThat(network.weights.bytes()).isEqualTo(packed);
    network.weights.pack(); // once more changes nothing
    assertThat(network.run(1)).isEqualTo(one);
  }

  @Test
  void halvesKeepEveryBitOfEveryOutput() {
    var network = new Small(RnnType.GRU, 260);
    network.toHalves();
    int[] one = network.run(1);
    int[] five = network.run(5);
    long before = network.weights.bytes();

    network.weights.pack();

    assertThat(network.run(1)).isEqualTo(one);
    assertThat(network.run(5)).isEqualTo(five);
    assertThat(network.weights.bytes()).isLessThan(before * 6 / 10);
  }

  @Test
  void halvesOfSmallMatricesStayInFloat32() {
    var network = new Small(RnnType.GRU, 64);
    network.toHalves();
    long before = network.weights.bytes();

    network.weights.pack();

    assertThat(network.weights.bytes()).isEqualTo(before);
  }

  /// 60 and 68 outputs fill no whole tiles of the kernels.
  @ParameterizedTest
  @CsvSource({"60, true", "68, true", "260, false"})
  void matricesThatWouldNotGainAndOrdinaryNumbersStayAsTheyAre(int hidden, boolean bytes) {
    var network = new Small(RnnType.GRU, hidden);
    if (bytes) {
      network.toBytes();
    }
    long before = network.weights.bytes();
    long version = network.weights.version();

    network.weights.pack();

    assertThat(network.weights.bytes()).isEqualTo(before).isEqualTo(4L * network.weights.size());
    assertThat(network.weights.version()).isEqualTo(version);
    network.weights.load(network.weights.parameters().getLast(), new float[hidden - 3]);
  }

  @Test
  void packedWeightsCannotBeTrainedLoadedOrWritten() {
    var network = new Small(RnnType.GRU, 260);
    network.toBytes();
    Parameter packed = network.weights.parameters().get(2);
    network.weights.pack();

    assertThatThrownBy(() -> network.weights.load(packed, new float[packed.size()]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rnn.weight_ih_l0 must be in float32, was packed for decisions");
    assertThatThrownBy(() -> Weights.rowMajor(packed, network.weights.values()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(network.weights::transposed).isInstanceOf(IllegalStateException.class);
  }

  /// Zero of the other sign is another number: a byte has none, a half has.
  @Test
  void aNegativeZeroKeepsAMatrixOutOfBytes() {
    var network = new Small(RnnType.GRU, 260);
    network.toBytes();
    Parameter last = network.weights.parameters().get(6);
    float[] rows = Weights.rowMajor(last, network.weights.values());
    rows[1] = -0f;
    network.weights.load(last, rows);
    long before = network.weights.bytes();
    int[] outputs = network.run(1);

    network.weights.pack();

    assertThat(network.weights.bytes()).isGreaterThan(before / 4 + last.size());
    assertThat(network.run(1)).isEqualTo(outputs);
  }

  @Test
  void productsOfBytesAllocateNothing() {
    var network = new Small(RnnType.GRU, 260);
    network.toBytes();
    network.weights.pack();
    Rows x = Rows.zeros(1, 260);
    Rows y = Rows.zeros(1, 257);

    assertThat(Allocation.settledBytesOf(() -> network.last.forward(1, x, y))).isZero();
  }
}
