package io.tranche.policy.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Rows;
import io.tranche.tensor.layer.Layers;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PyTorch reads the weights of composed layers by their names and computes the same numbers.
@Tag("full") // installs PyTorch
class ComposedTorchTest {

  private static final float[] INPUT = {0.5f, -1.25f, 2, 0.125f};

  @TempDir Path folder;

  private record Nothing() implements Observation {
    @Override
    public Value toValue() {
      return new Value.Dict(Map.of());
    }
  }

  @Test
  void torchLoadsTheStateDictStrictlyAndAgrees() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("torch", "numpy", "safetensors");
    Network.Factory<Nothing> network =
        Mlp.factory(
            (_, data, at) -> System.arraycopy(INPUT, 0, data, at, INPUT.length),
            INPUT.length,
            Layers.sequence(
                Layers.dense(6), Layers.tanh(), Layers.norm(), Layers.gru(5), Layers.dense(3)));
    ActorCritic<Nothing> agent = ActorCritic.create(network, 2, new SplittableRandom(3));
    StateDict weights = agent.weights().stateDict();
    TorchFile.write(folder.resolve("layers.pth"), weights);
    new SafeTensors(weights, Map.of("format", "pt")).write(folder.resolve("layers.safetensors"));
    Rows features = agent.model().network().newInference(1).features(List.of(new Nothing()));

    String answer =
        Python.run(
            python,
            """
            import sys, torch
            from torch import nn
            from safetensors.torch import load_file
            class Last(nn.GRU):
                def forward(self, x):
                    return super().forward(x)[0]
            net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.LayerNorm(6), Last(6, 5), nn.Linear(5, 3))
            prefix = 'actor.extractor.layers.'
            for state in (torch.load(sys.argv[1] + '/layers.pth', weights_only=True),
                          load_file(sys.argv[1] + '/layers.safetensors')):
                part = {k[len(prefix):]: v for k, v in state.items() if k.startswith(prefix)}
                net.load_state_dict(part, strict=True)
                with torch.no_grad():
                    out = net(torch.tensor([[0.5, -1.25, 2.0, 0.125]]))
                print(*out[0].tolist())
            """,
            folder.toString());

    for (String line : answer.lines().toList()) {
      String[] theirs = line.split(" ", -1);
      for (int i = 0; i < theirs.length; i++) {
        assertThat(features.data()[features.offset(0) + i])
            .isCloseTo(Float.parseFloat(theirs[i]), within(1e-6f));
      }
    }
    assertThat(answer.lines()).hasSize(2);
    ActorCritic<Nothing> again =
        ActorCritic.load(
            network,
            new Categorical(2),
            true,
            "layers.pth",
            TorchFile.readPolicy(folder.resolve("layers.pth")));
    assertThat(again.model().weights().values()).containsExactly(agent.model().weights().values());
  }
}
