package io.tranche.benchmarks.runtime;

import ai.onnxruntime.OrtException;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.market.Side;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.HdrHistogram.Histogram;

/// The peers of [RuntimeBenchmark] on the same network, weights and day: torch from Python, which
/// gets the day so far as in Qlib, and ONNX Runtime on our streaming graphs.
final class RuntimeComparison {

  private static final double TOLERANCE = 1e-5;
  private static final float AMOUNT = 1_000;

  private final Options options;
  private final LiveModel model;
  private final double barMicros;
  private final double decisionMicros;
  private final float[][] bars;
  private final float[] ours;
  private final List<Figure> figures = new ArrayList<>();

  /// @param barMicros our median time of a bar
  /// @param decisionMicros our median time of a decision
  RuntimeComparison(Options options, LiveModel model, double barMicros, double decisionMicros) {
    this.options = options;
    this.model = model;
    this.barMicros = barMicros;
    this.decisionMicros = decisionMicros;
    this.bars = model.drawBars();
    this.ours = ours(model, bars);
  }

  List<Figure> figures() throws IOException {
    try {
      onnx();
    } catch (OrtException e) {
      throw new IOException(e);
    }
    Peer peer = Peer.prepare(options, "qlib-rl");
    if (peer != null) {
      torch(peer);
    }
    return figures;
  }

  private static float remaining(int step) {
    return AMOUNT * (LiveModel.STEPS - step) / LiveModel.STEPS;
  }

  /// Returns the probabilities of all decisions of one order, one after the other.
  private static float[] ours(LiveModel model, float[][] bars) {
    LivePolicy policy = model.agent().newLivePolicy(1);
    float[] yesterday = new float[LiveModel.TICKS * LiveModel.FEATURES];
    LiveNetwork.Day day = policy.newDay(yesterday, LiveModel.TICKS);
    LiveNetwork.Episode episode = policy.newEpisode(Side.BUY.code());
    float[] all = new float[LiveModel.STEPS * LiveModel.CHOICES];
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      if (tick % LiveModel.TICKS_PER_STEP == 0) {
        int step = tick / LiveModel.TICKS_PER_STEP;
        policy.put(0, day, episode, remaining(step) / AMOUNT, (float) step / LiveModel.STEPS);
        System.arraycopy(policy.evaluate(1), 0, all, step * LiveModel.CHOICES, LiveModel.CHOICES);
      }
      day.append(bars[tick], 0);
    }
    return all;
  }

  private void requireSame(String peer, float[] theirs) {
    double largest = 0;
    for (int i = 0; i < ours.length; i++) {
      largest = Math.max(largest, Math.abs(theirs[i] - ours[i]));
    }
    options.printf("%s: probabilities differ by at most %.2g%n", peer, largest);
    if (!(largest <= TOLERANCE)) {
      throw new IllegalStateException(
          "%s: probabilities must differ by at most %s, was %s"
              .formatted(peer, TOLERANCE, largest));
    }
  }

  private void onnx() throws OrtException {
    int rounds = options.count(1_000, 2);
    Histogram ticks = RuntimeBenchmark.histogram();
    Histogram decisions = RuntimeBenchmark.histogram();
    float[] theirs = new float[ours.length];
    float[] said = new float[LiveModel.CHOICES];
    try (var stream = new OnnxStream(model)) {
      for (int round = 0; round < rounds; round++) {
        if (round == rounds / 2) { // the first half warms up
          ticks.reset();
          decisions.reset();
        }
        stream.begin();
        for (int tick = 0; tick < LiveModel.TICKS; tick++) {
          if (tick % LiveModel.TICKS_PER_STEP == 0) {
            int step = tick / LiveModel.TICKS_PER_STEP;
            long start = System.nanoTime();
            stream.decide(remaining(step), AMOUNT, step, true, said);
            RuntimeBenchmark.note(decisions, start);
            System.arraycopy(said, 0, theirs, step * LiveModel.CHOICES, LiveModel.CHOICES);
          }
          long start = System.nanoTime();
          stream.tick(bars[tick]);
          RuntimeBenchmark.note(ticks, start);
        }
      }
    }
    requireSame("onnx", theirs);
    add("runtime.tick.onnx", ticks.getValueAtPercentile(50) / 1e3, barMicros);
    add("runtime.decision.onnx", decisions.getValueAtPercentile(50) / 1e3, decisionMicros);
  }

  private void torch(Peer peer) throws IOException {
    Path weights = options.work().resolve("weights.pth");
    Path seen = options.work().resolve("observations.pth");
    TorchFile.write(weights, model.weights());
    TorchFile.write(seen, observations(bars));
    Peer.Answer answer = peer.answer("runtime.py", weights, seen, options.count(50, 2));
    for (String run : List.of("whole", "streamed")) {
      float[] theirs = new float[ours.length];
      for (int i = 0; i < theirs.length; i++) {
        theirs[i] = (float) answer.value(run + "." + i);
      }
      requireSame("torch, " + run, theirs);
    }
    add("runtime.decision.torch", micros(answer, "whole"), decisionMicros);
    add("runtime.decision.torch_streamed", micros(answer, "decisions"), decisionMicros);
    add("runtime.tick.torch_streamed", micros(answer, "ticks"), barMicros);
  }

  private static double micros(Peer.Answer answer, String run) {
    Peer.Run measured = answer.run(run);
    return 1e6 * measured.median().wallSeconds() / measured.size();
  }

  private void add(String name, double theirs, double ours) {
    figures.add(new Figure(name + ".us", theirs, "us"));
    figures.add(new Figure(name + ".ratio", theirs / ours, "x"));
  }

  /// Returns what Qlib shows a policy at each decision, all of it floats: a file of torch's that we
  /// can write.
  private static StateDict observations(float[][] bars) {
    int steps = LiveModel.STEPS;
    int day = LiveModel.TICKS * LiveModel.FEATURES;
    float[] today = new float[steps * day];
    float[] history = new float[steps * steps];
    float[] ticks = new float[steps];
    float[] numbers = new float[steps];
    float[] positions = new float[steps];
    for (int step = 0; step < steps; step++) {
      int tick = step * LiveModel.TICKS_PER_STEP;
      for (int i = 0; i < tick; i++) {
        System.arraycopy(
            bars[i], 0, today, step * day + i * LiveModel.FEATURES, LiveModel.FEATURES);
      }
      for (int past = 0; past <= step; past++) {
        history[step * steps + past] = remaining(past);
      }
      ticks[step] = tick;
      numbers[step] = step;
      positions[step] = remaining(step);
    }
    List<Integer> shape = List.of(steps, LiveModel.TICKS, LiveModel.FEATURES);
    var tensors = new LinkedHashMap<String, Tensor>();
    tensors.put("data_processed", Tensor.of(shape, today));
    tensors.put("data_processed_prev", Tensor.of(shape, new float[steps * day]));
    tensors.put("acquiring", column(filled(steps, 1)));
    tensors.put("cur_tick", column(ticks));
    tensors.put("cur_step", column(numbers));
    tensors.put("num_step", column(filled(steps, steps)));
    tensors.put("target", column(filled(steps, AMOUNT)));
    tensors.put("position", column(positions));
    tensors.put("position_history", Tensor.of(List.of(steps, steps), history));
    return new StateDict(tensors);
  }

  private static float[] filled(int size, float value) {
    float[] column = new float[size];
    Arrays.fill(column, value);
    return column;
  }

  private static Tensor column(float[] values) {
    return Tensor.of(List.of(values.length), values);
  }
}
