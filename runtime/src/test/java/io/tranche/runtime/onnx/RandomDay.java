package io.tranche.runtime.onnx;

import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Random features of a day, and observations of orders on it.
///
/// @param today one row per tick
/// @param yesterday one row per tick
record RandomDay(int width, List<Float> today, List<Float> yesterday) {

  static RandomDay of(SplittableRandom random, int ticks, int width) {
    return new RandomDay(width, floats(random, ticks * width), floats(random, ticks * width));
  }

  private static List<Float> floats(SplittableRandom random, int count) {
    return random.doubles(count, -2, 2).mapToObj(each -> (float) each).toList();
  }

  int ticks() {
    return width == 0 ? 0 : today.size() / width;
  }

  /// An order on its way.
  ///
  /// @param remained before each decision, the first being the whole order
  record Order(boolean buys, int maxSteps, List<Float> remained) {

    /// Returns an order that will have taken `steps` decisions.
    static Order of(SplittableRandom random, boolean buys, int steps, int maxSteps) {
      var remained = new ArrayList<Float>();
      remained.add((float) random.nextDouble(1, 100_000));
      while (remained.size() < steps) {
        remained.add((float) (remained.getLast() * random.nextDouble(0.3, 1)));
      }
      return new Order(buys, maxSteps, List.copyOf(remained));
    }

    float target() {
      return remained.getFirst();
    }
  }

  /// Returns what is seen at `tick`, with features still to come as zeros.
  FullHistoryObservation observe(int tick, Order order, int step) {
    double[] features = new double[today.size()];
    double[] before = new double[today.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = i / width < tick ? today.get(i) : 0;
      before[i] = yesterday.get(i);
    }
    double[] positions = new double[order.maxSteps];
    for (int i = 0; i <= step; i++) {
      positions[i] = order.remained.get(i);
    }
    List<Integer> shape = List.of(ticks(), width);
    var entries =
        new LinkedHashMap<String, Value>(
            Map.of(
                "data_processed", new Value.Floats(ElementType.FLOAT32, shape, features),
                "data_processed_prev", new Value.Floats(ElementType.FLOAT32, shape, before),
                "acquiring", integer(order.buys ? 1 : 0),
                "cur_tick", integer(tick),
                "cur_step", integer(step),
                "num_step", integer(order.maxSteps),
                "target", number(order.target()),
                "position", number(order.remained.get(step)),
                "position_history",
                    new Value.Floats(ElementType.FLOAT32, List.of(order.maxSteps), positions)));
    if (width == 0) {
      entries.keySet().removeAll(List.of("data_processed", "data_processed_prev", "cur_tick"));
      entries.remove("position_history");
    }
    return FullHistoryObservation.fromValue(new Value.Dict(entries));
  }

  private static Value integer(int value) {
    return new Value.Integers(ElementType.INT32, List.of(), value);
  }

  private static Value number(float value) {
    return new Value.Floats(ElementType.FLOAT32, List.of(), value);
  }

  /// Returns the features of a tick; those before the first are zeros.
  float[] row(int tick) {
    float[] row = new float[width];
    for (int i = 0; tick >= 0 && i < width; i++) {
      row[i] = today.get(tick * width + i);
    }
    return row;
  }
}
