package io.tranche.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full") // installs ONNX's own package
class OnnxPythonTest {

  private static final String PPO = "{class: PPO, kwargs: {lr: 0.001}}";
  private static final String QUANTILES = "{class: QuantileDqn, kwargs: {learning_rate: 0.001}}";

  @TempDir Path folder;

  @Test
  void onnxFindsNothingWrongWithTheFiles() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("onnx", "onnxruntime", "numpy");
    var files = new ArrayList<String>();
    for (String network :
        List.of(
            "{class: Recurrent}",
            "{class: RecurrentNetwork, kwargs: {cell: lstm, depth: 3}}",
            "{class: RecurrentNetwork, kwargs: {cell: rnn, depth: 2}}",
            "{class: DualAttention, kwargs: {cell: lstm, depth: 2}}",
            "{class: CausalTransformer}")) {
      for (String policy : List.of(PPO, QUANTILES)) {
        OnnxModel model = TrainedModel.of(network, policy, 5, 8, 1).onnx();
        model
            .write(folder.resolve(files.size() + ".onnx"))
            .forEach(file -> files.add(file.toString()));
      }
    }

    String answer =
        Python.run(
            python,
            """
            import sys, onnx
            for file in sys.argv[1:]:
                model = onnx.load(file)
                onnx.checker.check_model(model, full_check=True)
                onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
                assert model.producer_name == 'tranche'
            print('checked', len(sys.argv) - 1)
            """,
            files.toArray(String[]::new));

    assertThat(answer).isEqualTo("checked %d\n".formatted(files.size()));
    assertThat(files).hasSize(4 * 2 * 3 + 2 * 4);
  }

  @Test
  void theExampleOfTheManualRuns() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("onnx", "onnxruntime", "numpy");
    TrainedModel.of("{class: Recurrent}", PPO, 5, 8, 1).onnx().write(folder.resolve("model.onnx"));
    Matcher example =
        Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Shared.root().resolve("docs/onnx.md")));
    assertThat(example.find()).isTrue();

    String printed =
        Python.run(
            python,
            "import os, sys\nos.chdir(sys.argv[1])\n" + example.group(1),
            folder.toString());

    assertThat(printed.lines()).hasSize(8).allMatch(line -> line.matches("\\d+ \\d [\\d.]+"));
  }
}
