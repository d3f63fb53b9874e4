package io.tranche.benchmarks.runtime;

import ai.onnxruntime.OrtException;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Side;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;

/// One order's day, all of it: 240 bars and eight decisions. We open day and order, take every bar,
/// decide and book fills; the peers compute the probabilities alone, on the same network, weights,
/// bars and remaining amounts.
///
/// Peers: Qlib's network, which reads the day so far at each decision, as Qlib does; torch and ONNX
/// Runtime with our streaming graphs, which take each bar as it comes.
final class RuntimeComparison {

  private static final int ORDER = 0; // buys

  private final Options options;
  private final String name;
  private final LiveModel model;
  private final DecisionRuntime runtime;
  private final Agent<FullHistoryObservation> agent;
  private final float[][] bars;
  private final float amount = (float) LiveModel.amount(ORDER);
  private final float[] remaining = new float[LiveModel.STEPS];
  private final int[] choices = new int[LiveModel.STEPS];

  /// @param name of its row
  RuntimeComparison(Options options, String name, LiveModel model) {
    this.options = options;
    this.name = name;
    this.model = model;
    this.runtime = new DecisionRuntime(model.loaded());
    this.agent = model.packed();
    this.bars = model.drawBars();
  }

  /// @param work what is done, in words
  List<Figure> figures(String work) throws IOException {
    liveDay(); // the peers get the remaining amounts of the order
    Path weights = options.work().resolve(name + ".weights.pth");
    Path seen = options.work().resolve(name + ".observations.pth");
    if (options.peers()) {
      TorchFile.write(weights, model.weights());
      TorchFile.write(seen, observations());
    }
    try (PeerTurns torch = PeerTurns.start(options, "qlib-rl", "runtime.py", weights, seen)) {
      var comparison =
          new SideBySide(options, name, work, this::liveDay)
              .repeating(options.count(100, 1)) // torch takes a second and a half for these
              .within(1e-5, 0.2)
              .against(Row.Form.USUAL, "Qlib's network, the day so far", torch, "whole")
              .against(Row.Form.EXPERT, "torch that streams", torch, "streamed");
      if (!options.peers()) {
        return comparison.run(options.count(10, 0), options.count(20, 1));
      }
      try (var onnx = new OnnxStream(model)) {
        return comparison
            .againstLibrary(Row.Form.EXPERT, "ONNX Runtime that streams", () -> day(onnx))
            .run(options.count(10, 0), options.count(20, 1));
      }
    } catch (OrtException e) {
      throw new IOException(e);
    }
  }

  private Supplier<double[]> liveDay() {
    LiveDay day = LiveModel.open(runtime, "A", List.of(), 0);
    LiveModel.openOrder(day, ORDER);
    LiveOrder order = runtime.orders().getFirst();
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      if (order.isDue()) {
        int step = tick / LiveModel.TICKS_PER_STEP;
        remaining[step] = (float) order.remaining();
        order.decide();
        choices[step] = order.choice();
        order.fill(order.working() / 2, 10);
      }
      day.bar(day.time(tick), bars[tick]);
    }
    day.close();
    return this::probabilities;
  }

  /// Returns the probabilities of all decisions, one after the other, and checks that the likeliest
  /// were chosen.
  private double[] probabilities() {
    LivePolicy policy = agent.newLivePolicy(1);
    float[] yesterday = new float[LiveModel.TICKS * LiveModel.FEATURES];
    LiveNetwork.Day day = policy.newDay(yesterday, LiveModel.TICKS);
    LiveNetwork.Episode episode = policy.newEpisode(Side.BUY.code());
    double[] all = new double[LiveModel.STEPS * LiveModel.CHOICES];
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      if (tick % LiveModel.TICKS_PER_STEP == 0) {
        int step = tick / LiveModel.TICKS_PER_STEP;
        policy.put(0, day, episode, remaining[step] / amount, (float) step / LiveModel.STEPS);
        put(policy.evaluate(1), step, all);
      }
      day.append(bars[tick], 0);
    }
    return all;
  }

  private void put(float[] said, int step, double[] all) {
    for (int i = 0; i < LiveModel.CHOICES; i++) {
      all[step * LiveModel.CHOICES + i] = said[i];
      if (said[i] > said[choices[step]]) {
        throw new IllegalStateException(
            "%s: the choice of step %d must be %d, was %d".formatted(name, step, i, choices[step]));
      }
    }
  }

  private Supplier<double[]> day(OnnxStream stream) throws IOException {
    double[] all = new double[LiveModel.STEPS * LiveModel.CHOICES];
    float[] said = new float[LiveModel.CHOICES];
    try {
      stream.begin();
      for (int tick = 0; tick < LiveModel.TICKS; tick++) {
        if (tick % LiveModel.TICKS_PER_STEP == 0) {
          int step = tick / LiveModel.TICKS_PER_STEP;
          stream.decide(remaining[step], amount, step, true, said);
          put(said, step, all);
        }
        stream.tick(bars[tick]);
      }
    } catch (OrtException e) {
      throw new IOException(e);
    }
    return () -> all;
  }

  /// Returns what Qlib shows a policy at each decision, all of it floats: a file of torch's that we
  /// can write.
  private StateDict observations() {
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
        history[step * steps + past] = remaining[past];
      }
      ticks[step] = tick;
      numbers[step] = step;
      positions[step] = remaining[step];
    }
    List<Integer> shape = List.of(steps, LiveModel.TICKS, LiveModel.FEATURES);
    var tensors = new LinkedHashMap<String, Tensor>();
    tensors.put("data_processed", Tensor.of(shape, today));
    tensors.put("data_processed_prev", Tensor.of(shape, new float[steps * day]));
    tensors.put("acquiring", column(filled(steps, 1)));
    tensors.put("cur_tick", column(ticks));
    tensors.put("cur_step", column(numbers));
    tensors.put("num_step", column(filled(steps, steps)));
    tensors.put("target", column(filled(steps, amount)));
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
