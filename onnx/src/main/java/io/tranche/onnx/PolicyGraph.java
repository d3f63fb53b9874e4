package io.tranche.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A graph that decides, opened by ONNX Runtime on one thread of its own for each caller. Immutable:
/// any number of threads may share one.
final class PolicyGraph {

  private static final Cleaner CLEANER = Cleaner.create();
  private static final int LONGEST_COMMAND = 4096;

  private final String where;
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final GraphSignature signature;

  private PolicyGraph(String where, OrtSession session, GraphSignature signature) {
    this.where = where;
    this.session = session;
    this.signature = signature;
    CLEANER.register(this, () -> close(session));
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException _) {
      // nobody can do anything about it, and the process keeps a few bytes
    }
  }

  /// @param graph checked by [GraphCheck]
  /// @throws CheckpointException if ONNX Runtime refuses the graph, or its inputs or outputs are not
  ///   those of a policy for `context`
  static PolicyGraph open(String where, byte[] graph, BuildContext context) {
    requireShortCommand();
    try (var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      OrtSession session = OrtEnvironment.getEnvironment().createSession(graph, options);
      try {
        GraphSignature signature = GraphSignature.of(where, session, context);
        return new PolicyGraph(where, session, signature);
      } catch (RuntimeException | OrtException e) {
        close(session);
        throw e;
      }
    } catch (OrtException e) {
      throw new CheckpointException(where, "a graph that ONNX Runtime opens", e.getMessage(), e);
    }
  }

  /// ONNX Runtime 1.29 takes the process down with it if it was started by a longer command.
  private static void requireShortCommand() {
    try {
      int length = Files.readAllBytes(Path.of("/proc/self/cmdline")).length;
      if (length >= LONGEST_COMMAND) {
        throw new CheckpointException(
            "command line",
            "less than %d bytes, for ONNX Runtime; pass the class path in the variable CLASSPATH"
                .formatted(LONGEST_COMMAND),
            length);
      }
    } catch (IOException _) {
      // not Linux
    }
  }

  String where() {
    return where;
  }

  int ticks() {
    return signature.ticks();
  }

  int features() {
    return signature.features();
  }

  int maxSteps() {
    return signature.maxSteps();
  }

  /// Returns the numbers of a decision: one score for each choice, or the numbers of an action.
  int width() {
    return signature.width();
  }

  boolean isStreaming() {
    return !signature.states().isEmpty();
  }

  /// Returns the state before the first decision of an order.
  GraphState begin() {
    return signature.begin();
  }

  /// Takes decisions: returns [#width] numbers for each and moves their states on.
  ///
  /// @throws CheckpointException if the graph fails, or answers with numbers that are not finite
  float[] evaluate(List<GraphDecision> decisions) {
    float[] scores = new float[Math.multiplyExact(decisions.size(), width())];
    int rows = signature.isSingle() || isStreaming() ? 1 : Math.max(1, decisions.size());
    for (int from = 0; from < decisions.size(); from += rows) {
      evaluate(decisions.subList(from, Math.min(from + rows, decisions.size())), scores, from);
    }
    return scores;
  }

  private void evaluate(List<GraphDecision> part, float[] scores, int from) {
    Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
    try {
      for (GraphInput input : signature.inputs()) {
        inputs.put(input.name(), input.tensor(environment, this, part));
      }
      List<String> states = signature.states();
      for (int i = 0; i < states.size(); i++) {
        GraphState.Part state = part.getFirst().state().parts().get(i);
        inputs.put(
            states.get(i),
            OnnxTensor.createTensor(
                environment, FloatBuffer.wrap(state.values()), state.shape()));
      }
      try (OrtSession.Result result = session.run(inputs, signature.outputs())) {
        read(result, part, scores, from);
      }
    } catch (OrtException e) {
      throw new CheckpointException(where, "a decision", e.getMessage(), e);
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private void read(
      OrtSession.Result result, List<GraphDecision> part, float[] scores, int from)
      throws OrtException {
    OnnxTensor output = tensor(result, signature.output());
    float[] answers = signature.scores(output, part.size());
    for (int i = 0; i < answers.length; i++) {
      if (!Float.isFinite(answers[i])) {
        throw new CheckpointException(
            "%s, output %s".formatted(where, signature.output()),
            "finite numbers",
            "%s at %s".formatted(answers[i], part.get(i / width()).where()));
      }
    }
    System.arraycopy(answers, 0, scores, from * width(), answers.length);
    if (!isStreaming()) {
      return;
    }
    List<GraphState.Part> next = new ArrayList<>();
    for (String state : signature.states()) {
      OnnxTensor tensor = tensor(result, GraphSignature.NEXT + state);
      FloatBuffer values = tensor.getFloatBuffer();
      float[] copy = new float[values.remaining()];
      values.get(copy);
      next.add(new GraphState.Part(tensor.getInfo().getShape(), copy));
    }
    part.getFirst().state(new GraphState(next));
  }

  private static OnnxTensor tensor(OrtSession.Result result, String name) {
    return (OnnxTensor) Objects.requireNonNull(result.get(name).orElse(null), name);
  }

  /// Returns the action of a row of scores: the first of the best choices, or numbers within their
  /// bounds.
  Action action(float[] scores, int row) {
    int at = row * width();
    if (signature.actions() instanceof Space.Box box) {
      double[] numbers = new double[width()];
      Arrays.setAll(numbers, i -> Math.clamp(scores[at + i], box.low(), box.high()));
      return box.shape().isEmpty()
          ? new Action.Continuous(numbers[0])
          : new Action.Vector(Arrays.stream(numbers).boxed().toList());
    }
    int best = 0;
    for (int choice = 1; choice < width(); choice++) {
      if (scores[at + choice] > scores[at + best]) {
        best = choice;
      }
    }
    return new Action.Discrete(best);
  }
}
