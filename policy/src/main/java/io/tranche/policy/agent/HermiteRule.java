package io.tranche.policy.agent;

/// Gauss and Hermite's rule for the mean of a function of a standard normal number: the sum of its
/// values at the nodes, times the weights.
final class HermiteRule {

  private static final int ITERATIONS = 100;

  private final double[] nodes;
  private final double[] weights;

  private HermiteRule(double[] nodes, double[] weights) {
    this.nodes = nodes;
    this.weights = weights;
  }

  /// Finds the roots of the normalised Hermite polynomial from the largest down, by Newton's
  /// method, which divides out the roots that it has.
  static HermiteRule of(int size) {
    double[] nodes = new double[size];
    double[] weights = new double[size];
    for (int i = 0; i < size; i++) {
      double x = i == 0 ? Math.sqrt(2.0 * size + 1) : nodes[i - 1] / Math.sqrt(2) - 0.01;
      double slope = 0;
      for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        double before = 0;
        double value = Math.pow(Math.PI, -0.25);
        for (int degree = 0; degree < size; degree++) {
          double next =
              x * Math.sqrt(2.0 / (degree + 1)) * value
                  - Math.sqrt((double) degree / (degree + 1)) * before;
          before = value;
          value = next;
        }
        slope = Math.sqrt(2.0 * size) * before;
        double others = 0;
        for (int j = 0; j < i; j++) {
          others += 1 / (x - nodes[j] / Math.sqrt(2));
        }
        x -= value / (slope - value * others);
      }
      nodes[i] = x * Math.sqrt(2);
      weights[i] = 2 / (slope * slope) / Math.sqrt(Math.PI);
    }
    return new HermiteRule(nodes, weights);
  }

  int size() {
    return nodes.length;
  }

  double node(int index) {
    return nodes[index];
  }

  double weight(int index) {
    return weights[index];
  }
}
