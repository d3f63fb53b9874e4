package io.tranche.runtime.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.tranche.env.space.Value;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.weights.Tensor;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A graph in the real ONNX Runtime.
final class OnnxSession implements AutoCloseable {

  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

  private final OrtSession session;

  /// What a run gave, by name.
  record Given(Map<String, Tensor> tensors) {

    Tensor of(String name) {
      return Objects.requireNonNull(tensors.get(name), name);
    }
  }

  OnnxSession(byte[] graph) throws OrtException {
    try (var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      session = ENVIRONMENT.createSession(graph, options);
    }
  }

  Set<String> inputs() {
    return session.getInputNames();
  }

  Set<String> outputs() {
    return session.getOutputNames();
  }

  /// Returns the declared shape of an input, -1 for what a caller chooses.
  long[] shape(String input) throws OrtException {
    NodeInfo info = Objects.requireNonNull(session.getInputInfo().get(input), input);
    return ((TensorInfo) info.getInfo()).getShape();
  }

  Map<String, String> metadata() throws OrtException {
    return session.getMetadata().getCustomMetadata();
  }

  /// Runs the graph on observations, as Qlib's dictionary has them.
  Given run(List<FullHistoryObservation> observations) throws OrtException {
    var taken = new LinkedHashMap<String, Object>();
    for (String name : inputs()) {
      var leaves =
          observations.stream()
              .map(each -> ((Value.Dict) each.toValue()).entries().get(name))
              .toList();
      taken.put(name, stack(leaves));
    }
    return run(taken);
  }

  private static Object stack(List<Value> leaves) {
    int count = leaves.size();
    return switch (leaves.getFirst()) {
      case Value.Floats first -> {
        var shape = new ArrayList<>(List.of(count));
        shape.addAll(first.shape());
        float[] all = new float[count * first.size()];
        for (int i = 0; i < all.length; i++) {
          all[i] = (float) ((Value.Floats) leaves.get(i / first.size())).at(i % first.size());
        }
        yield Tensor.of(shape, all);
      }
      case Value.Integers _ ->
          leaves.stream().mapToInt(each -> (int) ((Value.Integers) each).at(0)).toArray();
      default -> throw new AssertionError(leaves);
    };
  }

  /// Runs the graph.
  ///
  /// @param taken [Tensor], or an array of int
  Given run(Map<String, ?> taken) throws OrtException {
    var tensors = new LinkedHashMap<String, OnnxTensor>();
    try {
      for (var entry : taken.entrySet()) {
        tensors.put(entry.getKey(), tensor(entry.getValue()));
      }
      var given = new LinkedHashMap<String, Tensor>();
      try (var result = session.run(tensors)) {
        for (var entry : result) {
          var tensor = (OnnxTensor) entry.getValue();
          float[] elements = new float[(int) tensor.getInfo().getNumElements()];
          tensor.getFloatBuffer().get(elements);
          List<Integer> shape =
              Arrays.stream(tensor.getInfo().getShape()).mapToObj(Math::toIntExact).toList();
          given.put(entry.getKey(), Tensor.of(shape, elements));
        }
      }
      return new Given(given);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  /// Returns a state of zeros for every input that has one: of `batch` lanes, which have seen no
  /// rows.
  Map<String, Object> begin(int batch) throws OrtException {
    var state = new LinkedHashMap<String, Object>();
    for (String name : states()) {
      var shape = new ArrayList<Integer>();
      boolean hasBatch = false;
      for (long declared : shape(name)) {
        // The batch is before the rows.
        shape.add(declared >= 0 ? (int) declared : hasBatch ? 0 : batch);
        hasBatch |= declared < 0;
      }
      state.put(name, Tensor.of(shape, new float[shape.stream().reduce(1, (a, b) -> a * b)]));
    }
    return state;
  }

  /// Runs the graph and puts the next state where the last was.
  Given advance(Map<String, Object> taken) throws OrtException {
    Given given = run(taken);
    states().forEach(name -> taken.put(name, given.of("next_" + name)));
    return given;
  }

  private List<String> states() {
    return inputs().stream().filter(name -> outputs().contains("next_" + name)).toList();
  }

  private static OnnxTensor tensor(Object value) throws OrtException {
    return switch (value) {
      case Tensor tensor ->
          OnnxTensor.createTensor(
              ENVIRONMENT,
              FloatBuffer.wrap(tensor.toArray()),
              tensor.shape().stream().mapToLong(each -> each).toArray());
      case int[] elements ->
          OnnxTensor.createTensor(
              ENVIRONMENT, IntBuffer.wrap(elements), new long[] {elements.length});
      default -> throw new AssertionError(value);
    };
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
