package io.tranche.policy.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full") // installs PyTorch
class RealTorchTest {

  @TempDir Path folder;

  @Test
  void realTorchReadsOurFilesWithoutTrustingThem() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("torch", "numpy", "safetensors");
    StateDict dict = PolicyWeights.ppo(Samples.ppo(1)).stateDict();
    TorchFile.write(folder.resolve("plain.pth"), dict);
    new TrainerCheckpoint(
            dict,
            Map.of("earlystopping", Map.of("best", 0.5, "best_weights", dict)),
            Map.of("logbuffer", Map.of("lengths", Map.of(0, List.of(1L << 40)))),
            true,
            4,
            4600,
            "val",
            Map.of("reward", 0.1),
            Map.of())
        .write(folder.resolve("checkpoint.pth"));
    new SafeTensors(dict, Map.of("format", "pt")).write(folder.resolve("a.safetensors"));

    String answer =
        Python.run(
            python,
            """
            import sys, torch
            from safetensors.torch import load_file, save_file
            folder = sys.argv[1]
            plain = torch.load(folder + '/plain.pth', weights_only=True)
            mapped = torch.load(folder + '/plain.pth', weights_only=True, mmap=True)
            for name, value in plain.items():
                assert value.dtype == torch.float32 and torch.equal(value, mapped[name])
            extractor = 'extractor.fc.weight'
            owners = ['actor.', 'critic.', '_actor_critic.actor.', '_actor_critic.critic.']
            print(len({plain[owner + extractor].data_ptr() for owner in owners}))
            torch.save(plain, folder + '/again.pth')
            checkpoint = torch.load(folder + '/checkpoint.pth', weights_only=True)
            policy = checkpoint.pop('vessel')['policy']
            assert all(torch.equal(policy[name], plain[name]) for name in plain)
            best = checkpoint['callbacks']['earlystopping'].pop('best_weights')
            assert list(best) == list(plain)
            print(checkpoint)
            tensors = load_file(folder + '/a.safetensors')
            assert all(torch.equal(value, plain[name]) for name, value in tensors.items())
            save_file(tensors, folder + '/again.safetensors')
            print(sorted(tensors))
            """,
            folder.toString());

    assertThat(answer.lines())
        .containsExactly(
            "1",
            "{'callbacks': {'earlystopping': {'best': 0.5}}, "
                + "'loggers': {'logbuffer': {'lengths': {0: [1099511627776]}}}, "
                + "'should_stop': True, 'current_iter': 4, 'current_episode': 4600, "
                + "'current_stage': 'val', 'metrics': {'reward': 0.1}}",
            "['actor.extractor.fc.bias', 'actor.extractor.fc.weight', "
                + "'actor.layer_out.0.bias', 'actor.layer_out.0.weight', "
                + "'critic.value_out.bias', 'critic.value_out.weight']");
    SameTensors.assertSame(TorchFile.readPolicy(folder.resolve("again.pth")), dict);
    var loaded = Samples.ppo(2);
    PolicyWeights.ppo(loaded).load(folder.resolve("again.safetensors"));
    assertThat(loaded.values()).isEqualTo(Samples.ppo(1).values());
  }
}
