package io.tranche.policy.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyWeightsTest {

  private final Weights trained = Samples.ppo(1);
  private final Weights fresh = Samples.ppo(2);
  @TempDir Path folder;

  @Test
  void aStateDictHasTheKeysAndShapesOfQlib() {
    StateDict real = WeightFiles.read(Samples.file("checkpoint.pth"));

    StateDict ours = PolicyWeights.ppo(trained).stateDict();

    assertThat(ours.tensors().keySet()).containsExactlyElementsOf(real.tensors().keySet());
    PolicyWeights.ppo(trained).load("real", real);
    SameTensors.assertSame(PolicyWeights.ppo(trained).stateDict(), real);
  }

  // The first, second, fourth and fifth are what Qlib does with its weight_file; the third it
  // refuses with torch 2.6 or later, because numpy's scalars would have to be executed.

  @Test
  void loadsAPlainStateDict() {
    Path file = folder.resolve("a.pth");
    TorchFile.write(file, PolicyWeights.ppo(trained).stateDict());

    PolicyWeights.ppo(fresh).load(file);

    assertThat(fresh.values()).isEqualTo(trained.values());
  }

  @Test
  void loadsATrainerCheckpoint() {
    Path file = folder.resolve("a.pth");
    new TrainerCheckpoint(
            PolicyWeights.ppo(trained).stateDict(),
            Map.of(),
            Map.of(),
            false,
            1,
            1,
            "train",
            Map.of("reward", 0.5),
            Map.of())
        .write(file);

    PolicyWeights.ppo(fresh).load(file);

    assertThat(fresh.values()).isEqualTo(trained.values());
  }

  @Test
  void loadsATrainerCheckpointWithNumpyMetrics() {
    PolicyWeights.ppo(fresh).load(Samples.file("checkpoint.pth"));

    SameTensors.assertSame(
        PolicyWeights.ppo(fresh).stateDict(), WeightFiles.read(Samples.file("checkpoint.pth")));
  }

  @Test
  void loadsOldFilesWithoutDuplicates() {
    PolicyWeights.ppo(fresh)
        .load("old", changed(dict -> dict.keySet().removeIf(k -> k.startsWith("_actor_critic."))));

    assertThat(fresh.values()).isEqualTo(trained.values());
  }

  @Test
  void loadsSafetensors() {
    Path file = folder.resolve("a.safetensors");
    new SafeTensors(PolicyWeights.ppo(trained).stateDict(), Map.of("format", "pt")).write(file);

    PolicyWeights.ppo(fresh).load(file);

    assertThat(fresh.values()).isEqualTo(trained.values());
  }

  @Test
  void refusesAFileWithoutItsCritic() {
    assertRefused(
        changed(dict -> dict.keySet().removeIf(key -> key.contains("critic."))),
        "missing critic.value_out.weight [1, 2]; missing critic.value_out.bias [1]");
  }

  @Test
  void namesEverythingThatIsWrong() {
    assertRefused(
        changed(
            dict -> {
              dict.keySet().removeIf(key -> key.endsWith("value_out.bias"));
              dict.put("actor.layer_out.0.weight", Tensor.of(List.of(5, 1), 1, 2, 3, 4, 5));
              dict.remove("_actor_critic.actor.layer_out.0.weight");
              dict.put("critic.extractor.fc.bias", Tensor.of(List.of(2), 8, 9));
              dict.put("actor.extractor.gru.bias", Tensor.of(List.of(1), 0));
              dict.put("optimizer", Tensor.of(List.of(), 0));
            }),
        "critic.extractor.fc.bias [2] unlike actor.extractor.fc.bias; "
            + "actor.layer_out.0.weight of shape [5, 1] instead of [4, 2]; "
            + "missing critic.value_out.bias [1]; "
            + "extra actor.extractor.gru.bias [1]; "
            + "extra optimizer []");
  }

  @Test
  void refusesWeightsThatAreNotFinite() {
    trained.values()[0] = Float.NaN;

    assertRefused(changed(_ -> {}), "actor.extractor.fc.weight not finite");
  }

  private void assertRefused(StateDict dict, String problems) {
    float[] before = fresh.values().clone();

    assertThatThrownBy(() -> PolicyWeights.ppo(fresh).load("a.pth", dict))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("a.pth: expected the weights of this model, was a file with " + problems);
    assertThat(fresh.values()).isEqualTo(before);
  }

  private StateDict changed(Consumer<Map<String, Tensor>> change) {
    var tensors = new LinkedHashMap<>(PolicyWeights.ppo(trained).stateDict().tensors());
    change.accept(tensors);
    return new StateDict(tensors);
  }

  @Test
  void dqnHasATargetNetworkOrNone() {
    Weights online = Samples.dqn(1);
    Weights target = Samples.dqn(2);
    StateDict both = PolicyWeights.dqn(online, target).stateDict();
    Weights first = Samples.dqn(3);
    Weights second = Samples.dqn(4);

    PolicyWeights.dqn(first, second).load("both", both);

    assertThat(first.values()).isEqualTo(online.values());
    assertThat(second.values()).isEqualTo(target.values());
    assertThat(both.tensors().keySet())
        .containsExactly(
            "model.layer_out.0.weight",
            "model.layer_out.0.bias",
            "model_old.layer_out.0.weight",
            "model_old.layer_out.0.bias");
    assertThatThrownBy(() -> PolicyWeights.dqn(first).load("both", both))
        .hasMessageContaining("extra model_old.layer_out.0.weight [4, 2]; extra model_old.");
    assertThatThrownBy(
            () ->
                PolicyWeights.dqn(first, second).load("one", PolicyWeights.dqn(online).stateDict()))
        .hasMessageContaining("missing model_old.layer_out.0.weight [4, 2]; missing model_old.");
  }

  @Test
  void everyParameterNeedsAKey() {
    assertThatThrownBy(() -> PolicyWeights.dqn(trained))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("parameter must match a rule, was 'actor.extractor.fc.weight'");
  }
}
