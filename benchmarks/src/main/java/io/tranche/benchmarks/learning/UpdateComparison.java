package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.space.Value;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The peers of [UpdateBenchmark], and whether their results equal ours. Without peers it reports
/// nothing.
final class UpdateComparison {

  /// How many minibatches must reach the same losses; in the first, every ratio is 1.
  private static final int CHECKED = 3;

  private static final double TOLERANCE = 1e-3;

  private final Options options;
  private final @Nullable Peer peer;
  private Peer.@Nullable Answer minutes;
  private Peer.@Nullable Answer latest;

  UpdateComparison(Options options) throws IOException {
    this.options = options;
    this.peer = Peer.prepare(options, "qlib-rl");
  }

  /// Lets the peers learn from `experience` with the weights of `learner`, which then learns from
  /// the same minibatches.
  void begin(Frequency frequency, Experience experience, Learner learner) throws IOException {
    if (peer == null) {
      return;
    }
    Path weights = options.work().resolve(frequency + ".weights.pth");
    TorchFile.write(weights, learner.weights());
    Path steps = options.work().resolve(frequency + ".steps.pth");
    TorchFile.write(steps, tensors(experience.steps()));
    Peer.Answer answer =
        peer.answer(
            "update.py", weights, steps, Learner.LEARNING_RATE, CHECKED, options.count(5, 1));
    latest = answer;
    minutes = minutes == null ? answer : minutes;
    for (int i = 0; i < CHECKED; i++) {
      check(frequency + " minibatch " + i, learner.learn(), answer, i);
    }
  }

  private void check(String where, UpdateReport ours, Peer.Answer answer, int minibatch) {
    var differences = new LinkedHashMap<String, Double>();
    for (String peerName : List.of("qlib", "torch_shared")) {
      for (String term : List.of("loss", "loss/clip", "loss/vf", "loss/ent", "gradient_norm")) {
        double theirs = answer.value(peerName + "." + term + "." + minibatch);
        // Advantages have a deviation of 1, and the clipped loss is a mean of them about 0.
        double scale = term.equals("loss/clip") ? 1 : Math.abs(theirs);
        differences.put(peerName + " " + term, Math.abs(ours.mean(term) - theirs) / scale);
      }
    }
    options.printf("%s: differences %s%n", where, differences);
    differences.forEach(
        (name, difference) -> {
          if (!(difference <= TOLERANCE)) {
            throw new IllegalStateException(
                "%s: %s must differ by at most %s, was %s"
                    .formatted(where, name, TOLERANCE, difference));
          }
        });
  }

  /// Returns how much longer the peers take for the minibatches that [#begin] gave them.
  List<Figure> update(String prefix, Timing ours) {
    var figures = new ArrayList<Figure>();
    if (latest != null) {
      Peer.Run qlib = latest.run("qlib");
      figures.addAll(qlib.compare(options, prefix, ours, qlib.size()));
      Peer.Run shared = latest.run("torch_shared");
      figures.addAll(shared.compare(options, prefix + ".torch_shared", ours, qlib.size()));
    }
    return figures;
  }

  /// Returns the GFLOP per second of the best matrix product available, or `registers` without
  /// peers.
  double sgemmPeak(double registers) {
    if (minutes == null) {
      return registers;
    }
    double torch = minutes.value("sgemm.torch");
    double numpy = minutes.value("sgemm.numpy");
    options.printf("sgemm: torch %.1f, numpy %.1f GFLOP/s%n", torch, numpy);
    return Math.max(torch, numpy);
  }

  /// @param ours the time of `decisions` decisions
  List<Figure> rollout(Timing ours, long decisions) {
    return minutes == null
        ? List.of()
        : minutes.run("forward").compare(options, "rollout", ours, decisions);
  }

  List<Figure> memory(double megabytes) {
    if (minutes == null) {
      return List.of();
    }
    double theirs = minutes.value("peak_mb");
    return List.of(
        new Figure("update.memory.peer.peak_mb", theirs, "MB"),
        new Figure("update.memory.ratio", theirs / megabytes, "x"));
  }

  /// Returns the steps as Qlib's arrays, all of them floats: a file of torch's that we can write.
  private static StateDict tensors(Transitions<FullHistoryObservation> steps) {
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
