package io.tranche.tensor;

import java.util.random.RandomGenerator;

/// A row that is learned for each place in a sequence, and added to what is there.
///
/// The rows of one lane follow one another: row `lane * steps + step`.
///
/// Hot path: nothing but [#initialise] allocates, and any number of threads may share a layer.
public final class Positions {

  /// The deviation of what is drawn, small beside the inputs (Radford et al., 2018, section 4.1).
  private static final double DEVIATION = 0.02;

  private final Weights weights;
  private final Parameter weight;
  private final int places;
  private final int width;

  /// Adds `name.weight` to `weights`.
  public Positions(Weights weights, String name, int places, int width) {
    this.weights = weights;
    this.weight = weights.matrix(name + ".weight", places, width);
    this.places = places;
    this.width = width;
  }

  /// Returns how long a sequence may be.
  public int places() {
    return places;
  }

  public void initialise(RandomGenerator random) {
    float[] drawn = new float[places * width];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = (float) (DEVIATION * random.nextGaussian());
    }
    weights.load(weight, drawn);
  }

  /// Adds its row to each of `steps` rows of `x` in each of `lanes`.
  public void forward(int lanes, int steps, Rows x) {
    if (steps > places) {
      throw new IllegalArgumentException(
          "a sequence must have at most %d steps, was %d".formatted(places, steps));
    }
    for (int i = 0; i < lanes * steps; i++) {
      add(i % steps, x, i);
    }
  }

  /// Adds the row of `place`, which must be below [#places()], to row `i` of `x`.
  public void add(int place, Rows x, int i) {
    float[] w = weights.values();
    int to = x.offset(i);
    int at = weight.offset() + place;
    for (int j = 0; j < width; j++) {
      x.data[to + j] += w[at + j * places];
    }
  }

  /// Goes back through [#forward]; the gradient of what was there is `dx` itself.
  ///
  /// @param gradients laid out as the weights; what this layer adds is added to it
  public void backward(int lanes, int steps, Rows dx, float[] gradients) {
    for (int i = 0; i < lanes * steps; i++) {
      int from = dx.offset(i);
      int at = weight.offset() + i % steps;
      for (int j = 0; j < width; j++) {
        gradients[at + j * places] += dx.data[from + j];
      }
    }
  }
}
