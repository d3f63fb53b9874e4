package io.tranche.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.tranche.policy.network.MlpFactory;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;

/// An input of a graph that is a part of the observation.
///
/// @param kind which part
/// @param shape of one row
/// @param isColumn whether a single number is a column, `[batch, 1]`, instead of `[batch]`
record GraphInput(
    String name, Kind kind, OnnxJavaType type, List<Integer> shape, boolean isColumn) {

  /// The parts of an observation, under Qlib's names; `obs` is the row of numbers that our `Mlp`
  /// reads and that environments with flat observations show.
  enum Kind {
    OBS,
    DATA_PROCESSED,
    DATA_PROCESSED_PREV,
    ACQUIRING,
    CUR_TICK,
    CUR_STEP,
    NUM_STEP,
    TARGET,
    POSITION,
    POSITION_HISTORY
  }

  int size() {
    return shape.stream().reduce(1, Math::multiplyExact);
  }

  /// Returns the tensor of some decisions; the caller closes it.
  OnnxTensor tensor(OrtEnvironment environment, PolicyGraph graph, List<GraphDecision> decisions)
      throws OrtException {
    float[] values = new float[Math.multiplyExact(decisions.size(), size())];
    for (int row = 0; row < decisions.size(); row++) {
      write(decisions.get(row), graph, values, row * size());
    }
    long[] dimensions = dimensions(decisions.size());
    return switch (type) {
      case INT32 -> {
        int[] whole = new int[values.length];
        Arrays.setAll(whole, i -> (int) values[i]);
        yield OnnxTensor.createTensor(environment, IntBuffer.wrap(whole), dimensions);
      }
      case INT64 -> {
        long[] whole = new long[values.length];
        Arrays.setAll(whole, i -> (long) values[i]);
        yield OnnxTensor.createTensor(environment, LongBuffer.wrap(whole), dimensions);
      }
      default -> OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), dimensions);
    };
  }

  private long[] dimensions(int rows) {
    int extra = isColumn ? 1 : shape.size();
    long[] dimensions = new long[1 + extra];
    Arrays.fill(dimensions, 1);
    dimensions[0] = rows;
    for (int i = 0; i < shape.size(); i++) {
      dimensions[1 + i] = shape.get(i);
    }
    return dimensions;
  }

  private void write(GraphDecision seen, PolicyGraph graph, float[] values, int at) {
    switch (kind) {
      case OBS -> {
        values[at] = seen.remainingAt(seen.step());
        values[at + 1] = seen.progress();
        values[at + 2] = seen.side();
        if (seen.visible() > 0) {
          seen.copyToday(seen.visible() - 1, values, at + MlpFactory.PROGRESS);
        }
      }
      case DATA_PROCESSED -> {
        for (int tick = 0; tick < seen.visible(); tick++) {
          seen.copyToday(tick, values, at + tick * graph.features());
        }
      }
      case DATA_PROCESSED_PREV -> {
        for (int tick = 0; tick < seen.ticks(); tick++) {
          seen.copyYesterday(tick, values, at + tick * graph.features());
        }
      }
      case ACQUIRING -> values[at] = seen.side();
      case CUR_TICK -> values[at] = Math.min(seen.visible(), graph.ticks() - 1);
      case CUR_STEP -> values[at] = seen.step();
      case NUM_STEP -> values[at] = graph.maxSteps();
      case TARGET -> values[at] = 1;
      case POSITION -> values[at] = seen.remainingAt(seen.step());
      case POSITION_HISTORY -> {
        for (int past = 0; past < graph.maxSteps(); past++) {
          values[at + past] = seen.remainingAt(past);
        }
      }
    }
  }
}
