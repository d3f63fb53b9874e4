package io.tranche.tensor;

import java.util.random.RandomGenerator;

/// A learned row for each place in a sequence, added to the input at that place.
///
/// The rows of one lane follow one another: row `lane * steps + step`.
///
/// Hot path: only [#initialise] allocates, and any number of threads may share a layer.
public final class Positions {

  /// Standard deviation of the initial values (Radford et al., 2018, section 4.1).
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

  /// Returns the maximum length of a sequence.
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

  /// Adds the row of each place to the `steps` rows of `x` in each of `lanes`.
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

  /// Backward pass of [#forward]; `dx` is also the gradient of its input.
  ///
  /// @param gradients laid out like the weights; this layer's gradients are added to it
  public void backward(int lanes, int steps, Rows dx, float[] gradients) {
    for (int i = 0; i < lanes * steps; i++) {
      addGradient(i % steps, dx, i, gradients);
    }
  }

  /// Backward pass of [#add]; row `i` of `dx` is also the gradient of its input.
  ///
  /// @param gradients laid out like the weights; this layer's gradients are added to it
  public void addGradient(int place, Rows dx, int i, float[] gradients) {
    int from = dx.offset(i);
    int at = weight.offset() + place;
    for (int j = 0; j < width; j++) {
      gradients[at + j * places] += dx.data[from + j];
    }
  }
}
