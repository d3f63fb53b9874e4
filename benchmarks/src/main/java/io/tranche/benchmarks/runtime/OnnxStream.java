package io.tranche.benchmarks.runtime;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.tranche.runtime.onnx.OnnxModel;
import io.tranche.runtime.onnx.OnnxOrigin;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// ONNX Runtime on our streaming graphs, on one thread and as fast as we can make it: memory is
/// allocated once, and results are written in place.
final class OnnxStream implements AutoCloseable {

  private static final int HIDDEN = 64;

  /// The inputs and outputs of a session.
  private static final class Graph implements AutoCloseable {

    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
    private final Map<String, OnnxTensor> outputs = new LinkedHashMap<>();

    Graph(byte[] bytes) throws OrtException {
      try (var options = new OrtSession.SessionOptions()) {
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        session = environment.createSession(bytes, options);
      }
    }

    FloatBuffer floats(Map<String, OnnxTensor> tensors, String name, long... shape)
        throws OrtException {
      FloatBuffer buffer = bytes(shape).asFloatBuffer();
      tensors.put(name, OnnxTensor.createTensor(environment, buffer, shape));
      return buffer;
    }

    IntBuffer integer(String name) throws OrtException {
      IntBuffer buffer = bytes(1).asIntBuffer();
      inputs.put(name, OnnxTensor.createTensor(environment, buffer, new long[] {1}));
      return buffer;
    }

    private static ByteBuffer bytes(long... shape) {
      int size = Float.BYTES;
      for (long each : shape) {
        size *= (int) each;
      }
      return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    void run() throws OrtException {
      session.run(inputs, Set.of(), outputs).close();
    }

    @Override
    public void close() throws OrtException {
      inputs.values().forEach(OnnxTensor::close);
      outputs.values().forEach(OnnxTensor::close);
      session.close();
    }
  }

  private final Graph ticks;
  private final FloatBuffer row;
  private final FloatBuffer hidden;
  private final FloatBuffer nextHidden;
  private final FloatBuffer read;

  private final Graph decisions;
  private final FloatBuffer day;
  private final FloatBuffer position;
  private final FloatBuffer target;
  private final IntBuffer step;
  private final IntBuffer side;
  private final FloatBuffer own;
  private final FloatBuffer nextOwn;
  private final FloatBuffer probabilities;

  OnnxStream(LiveModel model) throws OrtException {
    var onnx = OnnxModel.of(model.spec(), model.weights(), new OnnxOrigin("bench", "drawn"));
    ticks = new Graph(Objects.requireNonNull(onnx.tick()));
    row = ticks.floats(ticks.inputs, "row", 1, LiveModel.FEATURES);
    hidden = ticks.floats(ticks.inputs, "hidden", 1, 1, HIDDEN);
    nextHidden = ticks.floats(ticks.outputs, "next_hidden", 1, 1, HIDDEN);
    read = ticks.floats(ticks.outputs, "day", 1, HIDDEN);
    decisions = new Graph(onnx.decision());
    day = decisions.floats(decisions.inputs, "day", 1, HIDDEN);
    position = decisions.floats(decisions.inputs, "position", 1);
    target = decisions.floats(decisions.inputs, "target", 1);
    step = decisions.integer("cur_step");
    decisions.integer("num_step").put(0, LiveModel.STEPS);
    side = decisions.integer("acquiring");
    own = decisions.floats(decisions.inputs, "private_hidden", 1, 1, HIDDEN);
    nextOwn = decisions.floats(decisions.outputs, "next_private_hidden", 1, 1, HIDDEN);
    probabilities = decisions.floats(decisions.outputs, "probabilities", 1, LiveModel.CHOICES);
  }

  /// Begins a day and an order.
  void begin() throws OrtException {
    hidden.put(0, new float[HIDDEN]);
    own.put(0, new float[HIDDEN]);
    tick(new float[LiveModel.FEATURES]);
  }

  void tick(float[] features) throws OrtException {
    row.put(0, features);
    ticks.run();
    hidden.put(0, nextHidden, 0, HIDDEN);
  }

  /// Takes a decision and writes its probabilities.
  void decide(float remaining, float amount, int number, boolean buys, float[] to)
      throws OrtException {
    day.put(0, read, 0, HIDDEN);
    position.put(0, remaining);
    target.put(0, amount);
    step.put(0, number);
    side.put(0, buys ? 1 : 0);
    decisions.run();
    own.put(0, nextOwn, 0, HIDDEN);
    probabilities.get(0, to);
  }

  @Override
  public void close() throws OrtException {
    ticks.close();
    decisions.close();
  }
}
