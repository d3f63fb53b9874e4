package io.tranche.runtime.onnx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnxruntime.OrtException;
import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.ModelSpec;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxModelTest {

  private static final String PPO = "{class: PPO, kwargs: {lr: 0.001}}";
  private static final String LSTM =
      "{class: Recurrent, kwargs: {hidden_dim: 6, output_dim: 4, rnn_type: lstm}}";

  @TempDir Path folder;

  @Test
  void takesWhatTheNetworkReadsOfQlibsObservation() throws OrtException {
    try (var session = new OnnxSession(model(LSTM, PPO).onnx().full())) {
      assertThat(session.inputs())
          .containsExactlyInAnyOrder(
              "data_processed",
              "cur_tick",
              "cur_step",
              "num_step",
              "position_history",
              "target",
              "acquiring");
      assertThat(session.shape("data_processed")).containsExactly(-1, -1, 3);
      assertThat(session.shape("position_history")).containsExactly(-1, 8);
      assertThat(session.shape("cur_tick")).containsExactly(-1);
      assertThat(session.outputs()).containsExactly("probabilities", "logits");
    }
  }

  @Test
  void asksForYesterdayOnlyWhereItIsRead() throws OrtException {
    OnnxModel dual = model("{class: DualAttention, kwargs: {hidden: 4}}", PPO).onnx();

    try (var session = new OnnxSession(dual.full())) {
      assertThat(session.inputs()).contains("data_processed_prev");
    }
    assertThat(dual.opening()).isNotNull();
    assertThat(model(LSTM, PPO).onnx().opening()).isNull();
  }

  @Test
  void keepsItsStateOutside() throws OrtException {
    OnnxModel model = model(LSTM, PPO).onnx();

    try (var session = new OnnxSession(Objects.requireNonNull(model.tick()))) {
      assertThat(session.inputs()).containsExactlyInAnyOrder("row", "hidden", "cell");
      assertThat(session.outputs()).containsExactlyInAnyOrder("day", "next_hidden", "next_cell");
    }
    try (var session = new OnnxSession(model.decision())) {
      assertThat(session.inputs())
          .containsExactlyInAnyOrder(
              "day",
              "cur_step",
              "num_step",
              "position",
              "target",
              "acquiring",
              "private_hidden",
              "private_cell");
      assertThat(session.outputs())
          .containsExactlyInAnyOrder(
              "probabilities", "logits", "next_private_hidden", "next_private_cell");
    }
  }

  @Test
  void saysWhatItIs() throws OrtException {
    try (var session = new OnnxSession(model(LSTM, PPO).onnx().decision())) {
      assertThat(session.metadata())
          .containsExactlyInAnyOrderEntriesOf(
              Map.ofEntries(
                  entry("tranche.version", "0.1.0"),
                  entry("tranche.checkpoint", "latest.pth"),
                  entry("tranche.graph", "decision"),
                  entry("tranche.network", "Recurrent"),
                  entry("tranche.policy", "PPO"),
                  entry("tranche.columns", "$f0\n$f1\n$f2"),
                  entry("tranche.columns_yesterday", "$f0_1\n$f1_1\n$f2_1"),
                  entry("tranche.shares", "0.0\n0.25\n0.5\n0.75\n1.0"),
                  entry("tranche.max_steps", "8"),
                  entry("tranche.ticks_per_step", "30"),
                  entry("tranche.mirrors", "false")));
    }
  }

  @Test
  void writesTheSameBytesTwice() throws IOException {
    List<Path> files = model(LSTM, PPO).onnx().write(folder.resolve("model.onnx"));
    var before = new LinkedHashMap<Path, byte[]>();
    for (Path file : files) {
      before.put(file, Files.readAllBytes(file));
    }

    List<Path> again = model(LSTM, PPO).onnx().write(folder.resolve("model.onnx"));

    assertThat(again)
        .containsExactly(
            folder.resolve("model.onnx"),
            folder.resolve("model.tick.onnx"),
            folder.resolve("model.decision.onnx"));
    for (Path file : again) {
      assertThat(Files.readAllBytes(file)).isEqualTo(before.get(file));
    }
  }

  @Test
  void leavesOutWhatIsForTrainingOnly() {
    TrainedModel model =
        model("{class: Recurrent}", "{class: DQN, kwargs: {lr: 0.001, target_update_freq: 5}}");
    assertThat(model.weights().tensors()).containsKey("model_old.layer_out.0.bias");
    var online = new LinkedHashMap<>(model.weights().tensors());
    online.keySet().removeIf(key -> key.startsWith("model_old."));

    byte[] full = OnnxModel.of(model.spec(), new StateDict(online), TrainedModel.ORIGIN).full();

    assertThat(full).isEqualTo(model.onnx().full());
    assertThat(new String(full, ISO_8859_1)).doesNotContain("model_old", "prev_rnn");
  }

  @Test
  void worksWithNumbersTooSmallToBeNormal() throws OrtException {
    var random = new SplittableRandom(1);
    TrainedModel model = model(LSTM, PPO);
    var day = RandomDay.of(random, 9, 3);
    var tiny =
        new RandomDay(
            3,
            day.today().stream().map(each -> each * 1e-40f).toList(),
            day.yesterday().stream().map(each -> each * 1e-40f).toList());
    var seen = List.of(tiny.observe(8, RandomDay.Order.of(random, true, 3, 8), 2));

    try (var session = new OnnxSession(model.onnx().full())) {
      assertThat(session.run(seen).of("probabilities").isFinite()).isTrue();
      assertThat(Best.of(session.run(seen).of("probabilities")))
          .containsExactly(model.choices(seen));
    }
  }

  @Test
  void refusesWeightsOfAnotherModel() {
    TrainedModel model = model(LSTM, PPO);
    var wrong = new LinkedHashMap<>(model.weights().tensors());
    wrong.remove("actor.layer_out.0.bias");
    wrong.put("actor.extractor.fc.0.bias", Tensor.of(List.of(2), 1, 2));

    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> OnnxModel.of(model.spec(), new StateDict(wrong), TrainedModel.ORIGIN))
        .withMessageStartingWith("latest.pth: expected the weights of this model")
        .withMessageContaining("missing actor.layer_out.0.bias [5]")
        .withMessageContaining("actor.extractor.fc.0.bias of shape [2] instead of [6]");
  }

  @Test
  void refusesLayersOfOnesOwnAndSaysWhatTakesThem() {
    Layer.Factory own =
        (_, _, _) -> {
          throw new AssertionError("never made");
        };

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () ->
                LayerNodes.requireKnown(
                    Layers.sequence(Layers.dense(2), Layers.residual(Layers.concat(own)))))
        .withMessageStartingWith(
            "network: expected built-in layers, which ONNX has; a bundle, .pth or .safetensors takes"
                + " layers of your own as well, was a layer of "
                + OnnxModelTest.class.getName());
  }

  @Test
  void refusesAPolicyThatHasNoNetwork() {
    ModelSpec spec = TrainedModel.spec(LSTM, "{class: AllOne}", 3, 8);

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> OnnxModel.of(spec, new StateDict(Map.of()), TrainedModel.ORIGIN))
        .withMessageContaining("a policy that can be written as ONNX")
        .withMessageEndingWith("was AllOne");
  }

  @Test
  void saysWhereItCannotWrite() {
    OnnxModel model = model(LSTM, PPO).onnx();

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> model.write(folder.resolve("nowhere/model.onnx")))
        .withMessageContaining("nowhere");
  }

  private static TrainedModel model(String network, String policy) {
    return TrainedModel.of(network, policy, 3, 8, 11);
  }
}
