package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.RecurrentConfig;
import io.tranche.runtime.onnx.OnnxGraph.Size;

/// [io.tranche.policy.network.Recurrent]: recurrent layers over the ticks of today.
record RecurrentDay(RecurrentConfig config, int dataWidth) implements DayGraph {

  @Override
  public int width() {
    return config.hidden();
  }

  private RecurrentStack stack(OnnxLayers layers) {
    return new RecurrentStack(layers, "raw_rnn", config.type(), config.hidden(), config.depth());
  }

  @Override
  public String whole(OnnxLayers layers, String tick) {
    String today = layers.graph().input(TODAY, FLOAT, BATCH, TICKS, Size.of(dataWidth));
    String encoded = layers.linearWithRelu("raw_fc.0", layers.behindZeros(today));
    return layers.at(stack(layers).over(encoded), tick);
  }

  @Override
  public String tick(OnnxLayers layers) {
    String row = layers.graph().input(ROW, FLOAT, BATCH, Size.of(dataWidth));
    RecurrentStack stack = stack(layers);
    String encoded = layers.linearWithRelu("raw_fc.0", layers.unsqueeze(row, 0));
    RecurrentStack.Run run = stack.run(encoded, stack.input(""));
    stack.output(NEXT, run.last());
    return layers.squeeze(run.output(), 0);
  }
}
