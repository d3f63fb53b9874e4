package io.tranche.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.files.Archive;
import io.tranche.market.Side;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork.Day;
import io.tranche.policy.network.LiveNetwork.Episode;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.Quantiser;
import io.tranche.policy.weights.StateDict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class QuantisedBundleTest {

  @TempDir Path folder;

  private Path write(ModelBundle bundle) {
    Path file = folder.resolve("model.tranche");
    BundleFile.write(file, bundle);
    return file;
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void everyPrecisionComesBackWhole(Precision precision) throws IOException {
    ModelBundle bundle = Bundles.of(2, precision);

    Path file = write(bundle);
    ModelBundle read = BundleFile.read(file);

    assertThat(read.precision()).isEqualTo(precision);
    assertThat(read.spec().toYaml()).isEqualTo(bundle.spec().toYaml());
    assertThat(read.reference()).isEqualTo(bundle.reference());
    assertThat(BundleFile.size(bundle)).isEqualTo(Files.size(file));
    for (int i = 0; i < 2; i++) {
      StateDict expected = bundle.members().get(i);
      StateDict found = read.members().get(i);
      expected
          .tensors()
          .forEach(
              (name, tensor) ->
                  assertThat(Objects.requireNonNull(found.tensor(name)).sameAs(tensor))
                      .as(name)
                      .isTrue());
    }
    assertThat(LoadedModel.open(file).fingerprint())
        .isEqualTo(LoadedModel.of(bundle.spec(), bundle.members()).fingerprint());
  }

  /// A wide model keeps its quantised weights as small as its file, and its scores are those of the
  /// same numbers in float32, to the last bit.
  @ParameterizedTest
  @CsvSource({"FLOAT32, 1.0", "HALF, 0.55", "INT8, 0.3"})
  void wideQuantisedWeightsStaySmallAndDecideAlike(Precision precision, double share) {
    String network = "{class: RecurrentNetwork, kwargs: {hidden: 256, output: 32}}";
    ModelSpec spec = TestModel.spec(network, TestModel.PPO, TestModel.SHARES);
    TestModel drawn = TestModel.draw(spec, 1, 7);
    Agent<FullHistoryObservation> widened = drawn.agents().getFirst();
    StateDict rounded = Quantiser.round(widened.weights().stateDict(), precision, _ -> 1);
    widened.load("rounded", rounded);

    LoadedModel model = LoadedModel.of(spec, List.of(rounded));

    long floats = 4L * widened.weights().parts().getFirst().weights().size();
    assertThat(model.weightBytes()).isLessThanOrEqualTo((long) (share * floats));
    LivePolicy expected = widened.newLivePolicy(2);
    Ensemble found = model.newEnsemble(2);
    float[] yesterday = new float[spec.ticks() * TestModel.COLUMNS.yesterday().size()];
    Day day = expected.newDay(yesterday, spec.ticks());
    List<Day> days = found.newDays(yesterday, spec.ticks());
    Episode episode = expected.newEpisode(Side.SELL.code());
    List<Episode> episodes = found.newEpisodes(Side.SELL);
    var random = new SplittableRandom(5);
    for (int step = 0; step < 4; step++) {
      for (int tick = 0; tick < 10; tick++) {
        float[] bar = new float[TestModel.COLUMNS.today().size()];
        for (int i = 0; i < bar.length; i++) {
          bar[i] = (float) random.nextGaussian();
        }
        day.append(bar, 0);
        days.getFirst().append(bar, 0);
      }
      expected.put(0, day, episode, 1 - step / 4f, step / 8f);
      found.put(0, days, episodes, 1 - step / 4f, step / 8f);
      float[] scores = Arrays.copyOf(expected.evaluate(1), expected.choices());
      found.decide(1);
      assertThat(found.scores().getFirst()).isEqualTo(scores);
    }
  }

  @Test
  void theModelSaysInWhatNumbersItIs() throws IOException {
    Path file = write(Bundles.of(1, Precision.INT8));

    assertThat(new String(Archive.read(BundleFile.FORMAT, file).entry("model.yml"), UTF_8))
        .contains("precision: int8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          model.yml      | precision: int8  | precision: half  | weights/0.safetensors: actor
          model.yml      | precision: int8  | precision: int4  | precision: expected a word out of [float32, half, int8] (nearest: int8), was 'int4'
          model.yml      | precision: int8  | precision: []    | precision: expected
          reference.json | "$close"         | "$open"          | reference.json: features: name: expected $close, was $open
          reference.json | 1.5              | -1.5             | reference.json: expected statistics, was mean and deviation must be finite
          reference.json | 0.5              | 1.5              | reference.json: expected statistics, was actions must be shares in [0, 1]
          reference.json | "orders":10      | "orders":"ten"   | reference.json: orders: expected a whole number, was ten
          """)
  void whatDoesNotFitIsRefusedByName(String part, String from, String to, String message)
      throws IOException {
    Path file = write(Bundles.of(1, Precision.INT8));

    change(file, part, text -> text.replace(from, to));

    assertThatThrownBy(() -> BundleFile.read(file))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(message);
  }

  private static void change(Path file, String part, UnaryOperator<String> change)
      throws IOException {
    Archive archive = Archive.read(BundleFile.FORMAT, file);
    var parts = new LinkedHashMap<>(archive.entries());
    String before = new String(archive.entry(part), UTF_8);
    assertThat(change.apply(before)).isNotEqualTo(before);
    parts.put(part, change.apply(before).getBytes(UTF_8));
    try (var out = Files.newOutputStream(file)) {
      Archive.write(BundleFile.FORMAT, parts, out);
    }
  }
}
