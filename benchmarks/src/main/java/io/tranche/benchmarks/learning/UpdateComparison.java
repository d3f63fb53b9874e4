package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.env.Policy;
import io.tranche.env.space.Value;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The peers of [UpdateBenchmark] on one experience: the real Qlib with tianshou, and PyTorch that
/// shares one pass over a day between its decisions.
final class UpdateComparison implements AutoCloseable {

  /// How far apart losses may be, each relative to ours.
  static final double LOSS_TOLERANCE = 1e-3;

  /// Smaller losses may be as far apart as this one: they are sums of which most cancels.
  static final double LEAST_LOSS = 0.1;

  private static final String QLIB = "Qlib and tianshou";

  private final Options options;
  private final Experience experience;
  private final Learner learner;
  private final @Nullable PeerTurns python;
  private double product;

  /// @param name of the files that it writes for the peers
  UpdateComparison(Options options, String name, Experience experience) throws IOException {
    this.options = options;
    this.experience = experience;
    this.learner = new Learner(experience, 1);
    Path weights = options.work().resolve(name + ".weights.pth");
    Path steps = options.work().resolve(name + ".steps.pth");
    if (options.peers()) {
      TorchFile.write(weights, learner.weights());
      TorchFile.write(steps, tensors(experience.steps()));
    }
    python =
        PeerTurns.start(options, "qlib-rl", "update.py", weights, steps, Learner.LEARNING_RATE);
  }

  /// Learns from the whole experience as one minibatch, again and again. All sides begin with the
  /// same weights and so must reach the same losses.
  List<Figure> update(String name, String work) throws IOException {
    try (var other = new Learner(experience, 1)) { // for the JIT compiler, about as long as Qlib's
      for (int i = 0; i < options.count(40, 1); i++) {
        other.learn();
      }
    }
    return new SideBySide(options, name, work, () -> losses(learner.learn()))
        .within(LOSS_TOLERANCE, LEAST_LOSS)
        .against(Row.Form.USUAL, QLIB, python, "qlib")
        .against(Row.Form.EXPERT, "PyTorch, one pass a day", python, "shared")
        .run(options.count(3, 0), options.count(10, 1));
  }

  static Supplier<double[]> losses(UpdateReport report) {
    return () ->
        Stream.of("loss", "loss/clip", "loss/vf", "loss/ent", "gradient_norm")
            .mapToDouble(report::mean)
            .toArray();
  }

  /// Decides all steps again, the same decision of every order at a time; the days are new to the
  /// policy, which is made before, as the peers' networks are.
  List<Figure> rollout(String name, String work) throws IOException {
    int orders = experience.orders();
    List<List<FullHistoryObservation>> batches = experience.batches(orders);
    long[] drawKeys = new long[orders];
    try (var fresh = new Learner(experience, 1)) {
      var policies = new ArrayDeque<Policy<FullHistoryObservation>>();
      int times = options.count(10, 1);
      Runnable prepare =
          () -> {
            while (policies.size() < times) {
              policies.add(fresh.newPolicy(orders));
            }
          };
      prepare.run();
      return new SideBySide(
              options,
              name,
              work,
              () -> {
                Policy<FullHistoryObservation> policy = policies.remove();
                for (List<FullHistoryObservation> batch : batches) {
                  Generated.requireRows(
                      orders, policy.act(batch, drawKeys, Policy.Mode.TRAIN).length);
                }
                return () -> {
                  prepare.run();
                  return fresh.shares(batches);
                };
              })
          .repeating(times)
          .within(1e-5)
          .against(Row.Form.USUAL, QLIB, python, "forward")
          .against(Row.Form.EXPERT, "PyTorch that streams", python, "streamed")
          .run(options.count(5, 0), options.count(15, 1));
    }
  }

  /// Lets NumPy and torch multiply large matrices; without peers, does nothing.
  void multiply() throws IOException {
    if (python != null) {
      python.take("sgemm").values().forEach(rate -> product = Math.max(product, rate));
    }
  }

  /// Returns the GFLOP per second of the fastest [#multiply], or `registers` if there was none.
  double sgemmPeak(double registers) {
    return product == 0 ? registers : product;
  }

  /// Returns what a process of Qlib's needs to learn once.
  List<Figure> memory(double megabytes) throws IOException {
    if (python == null) {
      return List.of();
    }
    Path weights = options.work().resolve("memory.weights.pth");
    Path steps = options.work().resolve("memory.steps.pth");
    TorchFile.write(weights, learner.weights());
    TorchFile.write(steps, tensors(experience.steps()));
    try (PeerTurns alone =
        PeerTurns.start(options, "qlib-rl", "update.py", weights, steps, Learner.LEARNING_RATE)) {
      if (alone == null) {
        return List.of();
      }
      alone.take("qlib");
      double theirs = alone.take("memory").values().getFirst();
      return List.of(
          new Figure("update.memory.peer.peak_mb", theirs, "MB"),
          new Figure("update.memory.ratio", theirs / megabytes, "x"));
    }
  }

  @Override
  public void close() throws IOException {
    learner.close();
    if (python != null) {
      python.close();
    }
  }

  /// Returns the steps as Qlib's arrays, all of them floats: a file of torch's that we can write.
  static StateDict tensors(Transitions<FullHistoryObservation> steps) {
    var tensors = new LinkedHashMap<String, Tensor>();
    stack(steps.size(), "obs.", steps::observation, tensors);
    stack(steps.size(), "obs_next.", steps::next, tensors);
    tensors.put("act", column(steps.size(), steps::choice));
    tensors.put("rew", column(steps.size(), steps::reward));
    tensors.put("done", column(steps.size(), row -> steps.isTerminated(row) ? 1 : 0));
    return new StateDict(tensors);
  }

  private static Tensor column(int rows, IntToDoubleFunction value) {
    return Tensor.of(List.of(rows), fill(rows, value));
  }

  private static void stack(
      int rows,
      String prefix,
      IntFunction<FullHistoryObservation> observations,
      Map<String, Tensor> target) {
    var all = new LinkedHashMap<String, float[]>();
    var shapes = new LinkedHashMap<String, List<Integer>>();
    for (int row = 0; row < rows; row++) {
      int at = row;
      ((Value.Dict) observations.apply(row).toValue())
          .entries()
          .forEach(
              (name, value) -> {
                Tensor tensor = tensor(value);
                float[] elements = tensor.toArray();
                float[] column = all.computeIfAbsent(name, _ -> new float[rows * elements.length]);
                System.arraycopy(elements, 0, column, at * elements.length, elements.length);
                shapes.put(name, tensor.shape());
              });
    }
    all.forEach(
        (name, elements) -> {
          var shape = new ArrayList<>(List.of(rows));
          shape.addAll(shapes.getOrDefault(name, List.of()));
          target.put(prefix + name, Tensor.of(shape, elements));
        });
  }

  private static Tensor tensor(Value value) {
    return switch (value) {
      case Value.Floats floats -> Tensor.of(floats.shape(), fill(floats.size(), floats::at));
      case Value.Integers whole -> Tensor.of(whole.shape(), fill(whole.size(), whole::at));
      default -> throw new IllegalArgumentException("value must be an array, was " + value);
    };
  }

  private static float[] fill(int size, IntToDoubleFunction element) {
    float[] elements = new float[size];
    for (int i = 0; i < size; i++) {
      elements[i] = (float) element.applyAsDouble(i);
    }
    return elements;
  }
}
