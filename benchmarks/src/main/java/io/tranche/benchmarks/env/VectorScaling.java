package io.tranche.benchmarks.env;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.space.Action;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.market.Order;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The speed-up of vectorised environments by a second thread, beside that of a matrix product.
final class VectorScaling {

  static final String STEPS = "env.vector.steps_per_s";
  static final String VECTOR = "env.vector.scaling";
  static final String MATRIX = "env.sgemm.scaling";
  static final String SHARE = "env.vector.scaling_share";

  static final int ENVIRONMENTS = 256;

  private VectorScaling() {}

  static List<Figure> measure(Options options, WorkedOrders worked) throws IOException {
    int episodes = options.count(20, 1); // of each environment, some 40 ms
    var matrix = MatrixProduct.of(options);
    double[] fastest;
    try (var one = environments(worked, 1);
        var two = environments(worked, 2)) {
      fastest =
          Timing.fastest(
              options.count(150, 1),
              () -> run(one, episodes),
              () -> run(two, episodes),
              () -> matrix.compute(1),
              () -> matrix.compute(2));
    }
    options.log().printf("fastest turns, vector and matrix: %s s%n", Arrays.toString(fastest));
    long steps = (long) episodes * ENVIRONMENTS * WorkedOrders.STEPS;
    double vector = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    return List.of(
        new Figure(STEPS, steps / fastest[1], "steps/s"),
        new Figure(VECTOR, vector, "x"),
        new Figure(MATRIX, product, "x"),
        new Figure(SHARE, vector / product, "of sgemm's"));
  }

  static FiniteVectorEnv<Order, ?> environments(WorkedOrders worked, int threads) {
    return new FiniteVectorEnv<>(
        worked.problem(), worked.endless(), VectorConfig.of(ENVIRONMENTS), List.of(), threads);
  }

  /// Runs a number of episodes in each environment, in lockstep; a failure would stop it.
  static void run(FiniteVectorEnv<Order, ?> environments, int episodes) {
    int[] ids = IntStream.range(0, ENVIRONMENTS).toArray();
    for (int episode = 0; episode < episodes; episode++) {
      environments.reset(ids);
      for (int step = 0; step < WorkedOrders.STEPS; step++) {
        environments.step(ids, actions(environments, step));
      }
    }
  }

  private static Action[] actions(FiniteVectorEnv<Order, ?> environments, int step) {
    var actions = new Action[ENVIRONMENTS];
    for (int id = 0; id < ENVIRONMENTS; id++) {
      actions[id] = WorkedOrders.action(environments.episode(id), step);
    }
    return actions;
  }
}
