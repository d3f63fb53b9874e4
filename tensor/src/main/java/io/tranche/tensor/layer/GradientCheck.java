package io.tranche.tensor.layer;

import io.tranche.tensor.Parameter;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/// Compares a layer's backward pass with numerical derivatives: for the tests of layers of your
/// own.
public final class GradientCheck {

  /// The accuracy of central differences of float32, relative to the largest gradient.
  private static final double TOLERANCE = 3e-3;

  /// A long step may cross the corner of a ReLU, a short one suffers from rounding: one must agree.
  private static final float[] STEPS = {1e-2f, 2.5e-3f, 6e-4f};

  private static final float SHORTEST = STEPS[STEPS.length - 1];

  private static final int SEQUENCE = 4;
  private static final int LANES = 3;

  private GradientCheck() {}

  /// Requires that the gradients of the layer's input and of all its weights are its derivatives,
  /// for random weights and inputs.
  ///
  /// @param inputs width of the input
  /// @throws AssertionError naming the first gradient that is not
  public static void require(Layer.Factory factory, int inputs, long seed) {
    var weights = new Weights();
    Layer layer = factory.create(weights, "layer", inputs);
    var random = new SplittableRandom(seed);
    layer.initialise(random);
    int rows = SEQUENCE * LANES;
    Layer.Pass pass = layer.newPass(SEQUENCE, LANES);
    Rows x = drawn(random, rows, inputs);
    Rows y = Rows.zeros(rows, layer.outputs());
    Rows projection = drawn(random, rows, layer.outputs());
    Rows dy = Rows.of(projection.data().clone(), layer.outputs());
    Rows dx = Rows.zeros(rows, inputs);
    float[] gradients = new float[weights.size()];
    pass.forward(SEQUENCE, LANES, x, y);
    pass.backward(x, y, dy, dx, gradients);

    DoubleSupplier loss =
        () -> {
          weights.changed();
          pass.forward(SEQUENCE, LANES, x, y);
          double sum = 0;
          for (int i = 0; i < y.data().length; i++) {
            sum += (double) y.data()[i] * projection.data()[i];
          }
          return sum;
        };
    double scale = Math.max(largest(dx.data(), 1e-3), largest(gradients, 1e-3));
    compare("the input", x.data(), dx.data(), 0, x.data().length, scale, loss);
    for (Parameter each : weights.parameters()) {
      int end = each.offset() + each.size();
      compare(each.name(), weights.values(), gradients, each.offset(), end, scale, loss);
    }
  }

  private static Rows drawn(SplittableRandom random, int count, int width) {
    Rows rows = Rows.zeros(count, width);
    for (int i = 0; i < rows.data().length; i++) {
      rows.data()[i] = (float) random.nextDouble(-1, 1);
    }
    return rows;
  }

  private static double largest(float[] values, double atLeast) {
    double largest = atLeast;
    for (float each : values) {
      largest = Math.max(largest, Math.abs(each));
    }
    return largest;
  }

  private static void compare(
      String name,
      float[] values,
      float[] gradients,
      int from,
      int to,
      double scale,
      DoubleSupplier loss) {
    for (int i = from; i < to; i++) {
      double numerical = 0;
      boolean equal = false;
      for (int step = 0; !equal && step < STEPS.length; step++) {
        numerical = difference(values, i, STEPS[step], STEPS[step], loss);
        equal = Math.abs(numerical - gradients[i]) <= TOLERANCE * scale;
      }
      // At a corner the derivative is that of one side.
      for (int side = 0; !equal && side < 2; side++) {
        double oneSided = difference(values, i, side * SHORTEST, (1 - side) * SHORTEST, loss);
        equal = Math.abs(oneSided - gradients[i]) <= TOLERANCE * scale;
      }
      if (!equal) {
        throw new AssertionError(
            "gradient of %s, element %d: expected %s, was %s"
                .formatted(name, i - from, numerical, gradients[i]));
      }
    }
  }

  private static double difference(
      float[] values, int i, float above, float below, DoubleSupplier loss) {
    float kept = values[i];
    values[i] = kept + above;
    double up = loss.getAsDouble();
    values[i] = kept - below;
    double down = loss.getAsDouble();
    values[i] = kept;
    return (up - down) / (above + below);
  }
}
