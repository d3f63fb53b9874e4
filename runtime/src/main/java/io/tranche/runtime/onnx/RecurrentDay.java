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

  private SequenceGraph ticks(OnnxLayers layers) {
    return new SequenceGraph(layers, "raw_", config.type(), config.hidden(), config.depth());
  }

  @Override
  public String whole(OnnxLayers layers, String tick) {
    String today = layers.graph().input(TODAY, FLOAT, BATCH, TICKS, Size.of(dataWidth));
    return layers.at(ticks(layers).over(layers.behindZeros(today)), tick);
  }

  @Override
  public String tick(OnnxLayers layers) {
    return ticks(layers).step(layers.graph().input(ROW, FLOAT, BATCH, Size.of(dataWidth)), "");
  }
}
