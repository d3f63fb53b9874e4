package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Cases;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantiserTest {

  private static final int ROWS = 3;
  private static final int COLUMNS = 7;

  /// Numbers of any size, and rows of nothing.
  private static Tensor draw(SplittableRandom random) {
    float[] values = new float[ROWS * COLUMNS];
    for (int row = 0; row < ROWS; row++) {
      double size = random.nextInt(6) == 0 ? 0 : Math.pow(10, random.nextDouble(-30, 4));
      for (int i = 0; i < COLUMNS; i++) {
        values[row * COLUMNS + i] = (float) (size * random.nextDouble(-1, 1));
      }
    }
    return Tensor.of(List.of(ROWS, COLUMNS), values);
  }

  private static float largest(Tensor matrix, int row) {
    return Quantiser.largest(matrix.toArray(), row * COLUMNS, COLUMNS);
  }

  @Test
  void errorsAreHalfAStepAtMostWithinTheClipAndTheRestIsClipped() {
    Cases.forAll(
        Cases.count(500, 20_000),
        random -> {
          Tensor matrix = draw(random);
          double clip = Quantiser.CLIPS.get(random.nextInt(Quantiser.CLIPS.size()));

          Tensor rounded = Quantiser.round(matrix, clip);

          for (int row = 0; row < ROWS; row++) {
            double range = clip * largest(matrix, row);
            double step = largest(rounded, row) / 127.0;
            assertThat(step).isBetween(range / 127 * (1 - 1e-6), range / 127 * (1 + 2e-5));
            for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; i++) {
              double value = matrix.at(i);
              double clipped = Math.clamp(value, -127 * step, 127 * step);
              assertThat(Math.abs(rounded.at(i) - clipped)).isLessThanOrEqualTo(step * 0.500001);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void whatIsRoundedIsStoredAndReadWithoutLoss(Precision precision) {
    Cases.forAll(
        Cases.count(300, 10_000),
        random -> {
          Tensor shared = draw(random);
          var tensors = new LinkedHashMap<String, Tensor>();
          tensors.put("a.weight", shared);
          tensors.put("a.bias", Tensor.of(List.of(2), 0.1f, -0f));
          tensors.put("b.weight", shared);
          tensors.put("none", Tensor.of(List.of(0, 3)));
          var weights = new StateDict(tensors);

          StateDict rounded =
              Quantiser.round(weights, precision, _ -> random.nextBoolean() ? 1 : 0.8);
          byte[] bytes = PackedWeights.write(rounded, precision);
          StateDict read = PackedWeights.read("test", bytes, precision);

          assertThat(read.tensors().keySet()).containsExactlyInAnyOrderElementsOf(tensors.keySet());
          rounded
              .tensors()
              .forEach(
                  (name, tensor) ->
                      assertThat(Samples.tensor(read, name).sameAs(tensor)).as(name).isTrue());
          assertThat(read.tensor("b.weight")).isSameAs(read.tensor("a.weight"));
          assertThat(PackedWeights.write(read, precision)).isEqualTo(bytes);
        });
  }

  @Test
  void rowsOfZerosStayZeroAndOtherRowsDoNotMind() {
    Tensor matrix = Tensor.of(List.of(2, 2), 0, 0, 127, -63.6f);

    Tensor rounded = Quantiser.round(matrix, 1);

    assertThat(rounded.toArray()).containsExactly(0, 0, 127, -64);
  }

  @Test
  void biasesAndVectorsKeepTheirDigits() {
    Tensor bias = Tensor.of(List.of(2), 0.1f, 0.2f);

    StateDict rounded =
        Quantiser.round(new StateDict(Map.of("bias", bias)), Precision.INT8, _ -> 1);

    assertThat(rounded.tensor("bias")).isSameAs(bias);
  }

  @Test
  void bytesTakeAQuarterAndHalvesAHalf() {
    var matrix = Tensor.of(List.of(64, 64), new float[64 * 64]);
    var weights = new StateDict(Map.of("weight", matrix));

    int whole = PackedWeights.write(weights, Precision.FLOAT32).length;

    assertThat(PackedWeights.write(weights, Precision.HALF)).hasSizeLessThan(whole * 51 / 100);
    assertThat(PackedWeights.write(weights, Precision.INT8)).hasSizeLessThan(whole * 28 / 100);
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.MAX_VALUE})
  void numbersThatCannotBeRoundedAreRefused(float number) {
    var weights = new StateDict(Map.of("w", Tensor.of(List.of(1, 2), 1, number)));

    assertThatThrownBy(() -> Quantiser.round(weights, Precision.INT8, _ -> 1))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("w: expected");
    assertThatThrownBy(() -> Quantiser.round(weights, Precision.HALF, _ -> 1))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("w: expected");
  }

  @Test
  void whatWasNotRoundedIsNotStored() {
    var weights = new StateDict(Map.of("w", Tensor.of(List.of(1, 2), 1, 0.3f)));

    assertThatThrownBy(() -> PackedWeights.write(weights, Precision.INT8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("w must be rounded");
    assertThatThrownBy(() -> PackedWeights.write(weights, Precision.HALF))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, -1, 0.1f, 1e38f, 1e-40f})
  void damagedScalesAreRefused(float scale) {
    byte[] bytes = small();
    int at = bytes.length - Float.BYTES; // scales come last
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putFloat(at, scale);

    assertThatThrownBy(() -> PackedWeights.read("file", bytes, Precision.INT8))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("file: w.scale: expected scales");
  }

  @Test
  void missingScalesExtraOnesAndOtherPrecisionsAreRefused() {
    byte[] bytes = small();
    byte[] unnamed = renamed(bytes, "w.scale", "w.scald");
    byte[] orphan = renamed(bytes, "\"w\"", "\"v\"");

    refused(unnamed, Precision.INT8, "w.scale: expected 1 scales, one per row, was none");
    refused(orphan, Precision.INT8, "v.scale: expected 1 scales");
    refused(bytes, Precision.FLOAT32, "w: expected numbers of F32, was I8");
    refused(bytes, Precision.HALF, "w: expected numbers of F16, was I8");
    refused(
        new SafeTensors(new StateDict(Map.of("w", Tensor.of(List.of(1, 1), 1))), Map.of())
            .toBytes(),
        Precision.INT8,
        "w: expected numbers of I8, was F32");
  }

  private static byte[] small() {
    var weights = new StateDict(Map.of("w", Tensor.of(List.of(1, 4), 127, 0, -3, 5)));
    return PackedWeights.write(weights, Precision.INT8);
  }

  private static byte[] renamed(byte[] bytes, String from, String to) {
    return new String(bytes, ISO_8859_1).replace(from, to).getBytes(ISO_8859_1);
  }

  private static void refused(byte[] bytes, Precision precision, String message) {
    assertThatThrownBy(() -> PackedWeights.read("file", bytes, precision))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(message);
  }
}
