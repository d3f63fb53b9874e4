package io.tranche.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Weights that we write, read by PyTorch and by Qlib's own `weight_file`, choose what they choose
/// here.
@Tag("full") // installs Qlib and PyTorch
class QlibWeightFileTest {

  private static final int ORDERS = 64;
  private static final int TICKS = 48;
  private static final int WIDTH = 5;
  private static final int STEPS = 8;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"PPO", "DQN"})
  void qlibChoosesWhatWeChoose(String policy) throws IOException, InterruptedException {
    Path python =
        Python.withQlibOrSkip();
    var model =
        TrainedModel.of(
            "{class: Recurrent}",
            "{class: %s, kwargs: {lr: 0.001}}".formatted(policy),
            WIDTH,
            STEPS,
            3);
    TorchFile.write(folder.resolve("weights.pth"), model.weights());
    var observations = new ArrayList<FullHistoryObservation>();
    TorchFile.write(folder.resolve("observations.pth"), draw(observations));

    String answer =
        Python.run(
            python,
            """
            import sys
            from pathlib import Path
            import numpy as np
            import torch
            from gym.spaces import Discrete
            from qlib.rl.order_execution import policy as policies
            from qlib.rl.order_execution.network import Recurrent
            from tianshou.data import Batch

            folder, name = Path(sys.argv[1]), sys.argv[2]
            tensors = torch.load(folder / 'observations.pth', weights_only=True)
            integers = ('acquiring', 'cur_tick', 'cur_step', 'num_step')
            seen = {
                key: each.numpy().astype(np.int32) if key in integers else each.numpy()
                for key, each in tensors.items()
            }

            def choices(weight_file):
                shape = seen['data_processed'].shape[1:]
                network = Recurrent({'data_processed': np.empty(shape)})
                policy = getattr(policies, name)(network, None, Discrete(5), lr=1e-3, weight_file=weight_file)
                if weight_file is None:
                    weights = torch.load(folder / 'weights.pth', weights_only=True)
                    policy.load_state_dict(weights)
                policy.eval()
                with torch.no_grad():
                    return policy(Batch(obs=Batch(seen), info={})).logits

            for weight_file in (None, folder / 'weights.pth'):
                print(*(int(choice) for choice in torch.as_tensor(choices(weight_file)).argmax(-1)))
            """,
            folder.toString(),
            policy);

    int[] ours = model.choices(observations);
    String expected =
        Arrays.stream(ours).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    assertThat(Arrays.stream(ours).distinct().count()).isGreaterThan(1);
    assertThat(answer.lines()).containsExactly(expected, expected);
  }

  /// Returns Qlib's observations as arrays, a row an order, and adds our own of the same.
  private static StateDict draw(List<FullHistoryObservation> observations) {
    var random = new SplittableRandom(11);
    float[] features = new float[ORDERS * TICKS * WIDTH];
    float[] history = new float[ORDERS * STEPS];
    float[] numbers = new float[6 * ORDERS];
    for (int i = 0; i < ORDERS; i++) {
      var day = RandomDay.of(random, TICKS, WIDTH);
      int step = random.nextInt(STEPS);
      int tick = step * TICKS / STEPS;
      var order = RandomDay.Order.of(random, random.nextBoolean(), step + 1, STEPS);
      observations.add(day.observe(tick, order, step));
      for (int each = 0; each < tick; each++) {
        System.arraycopy(day.row(each), 0, features, (i * TICKS + each) * WIDTH, WIDTH);
      }
      for (int each = 0; each <= step; each++) {
        history[i * STEPS + each] = order.remained().get(each);
      }
      float[] row = {
        tick, step, STEPS, order.target(), order.remained().get(step), order.buys() ? 1 : 0
      };
      for (int each = 0; each < row.length; each++) {
        numbers[each * ORDERS + i] = row[each];
      }
    }
    var tensors = new LinkedHashMap<String, Tensor>();
    tensors.put("data_processed", Tensor.of(List.of(ORDERS, TICKS, WIDTH), features));
    tensors.put("position_history", Tensor.of(List.of(ORDERS, STEPS), history));
    List<String> names =
        List.of("cur_tick", "cur_step", "num_step", "target", "position", "acquiring");
    for (int each = 0; each < names.size(); each++) {
      tensors.put(
          names.get(each),
          Tensor.of(
              List.of(ORDERS), Arrays.copyOfRange(numbers, each * ORDERS, (each + 1) * ORDERS)));
    }
    return new StateDict(tensors);
  }
}
