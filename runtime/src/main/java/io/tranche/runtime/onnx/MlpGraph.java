package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxGraph.Type.INT32;
import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.network.MlpFactory;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import io.tranche.tensor.layer.Layers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [io.tranche.policy.network.Mlp]: layers over the progress of the order and the features of the
/// newest tick.
record MlpGraph(Layers.Sequence layers, int inputs) implements OrderGraph {

  /// @throws io.tranche.config.ConfigException if a layer is not one of ours
  static MlpGraph of(MlpFactory<?> factory) {
    var all = new Layers.Sequence(factory.layers());
    LayerNodes.requireKnown(all);
    return new MlpGraph(all, factory.inputs());
  }

  /// An order that is shown whole has its position as well.
  @Override
  public String whole(OnnxLayers graph, @Nullable String day) {
    return one(graph, day);
  }

  @Override
  public String one(OnnxLayers nodes, @Nullable String day) {
    OnnxGraph graph = nodes.graph();
    String step = graph.input("cur_step", INT32, BATCH);
    String steps = graph.input("num_step", INT32, BATCH);
    String position = graph.input("position", FLOAT, BATCH);
    String target = graph.input("target", FLOAT, BATCH);
    String buys = nodes.real(graph.input("acquiring", INT32, BATCH));
    var numbers = new ArrayList<String>();
    numbers.add(nodes.unsqueeze(nodes.divide(position, target), 1));
    numbers.add(nodes.unsqueeze(nodes.divide(nodes.real(step), nodes.real(steps)), 1));
    numbers.add(nodes.unsqueeze(buys, 1));
    if (day != null) {
      numbers.add(day);
    }
    String row = nodes.unsqueeze(nodes.concat(1, numbers), 0);
    return nodes.squeeze(new LayerNodes(nodes, false).add(layers, "layers", row, inputs), 0);
  }

  /// The features of the newest tick, zeros before the first.
  record NewestTick(int width) implements DayGraph {

    @Override
    public String whole(OnnxLayers layers, String tick) {
      String today = layers.graph().input(TODAY, FLOAT, BATCH, TICKS, Size.of(width));
      return layers.at(layers.behindZeros(today), tick);
    }

    /// A row is its own encoding.
    @Override
    public String tick(OnnxLayers layers) {
      String row = layers.graph().input(ROW, FLOAT, BATCH, Size.of(width));
      return layers.graph().node("Identity", List.of(row));
    }
  }
}
