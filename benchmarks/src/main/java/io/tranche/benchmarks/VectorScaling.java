package io.tranche.benchmarks;

import io.tranche.env.Action;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.market.Order;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// What a second thread is worth to vectorised environments, beside what it is worth to a matrix
/// product: both measured in turn, so that a machine that has less to give at times gives both
/// less.
final class VectorScaling {

  static final String STEPS = "env.vector.steps_per_s";
  static final String VECTOR = "env.vector.scaling";
  static final String MATRIX = "env.sgemm.scaling";
  static final String SHARE = "env.vector.scaling_share";

  static final int ENVIRONMENTS = 256;
  private static final int MATRIX_SIZE = 512;

  private VectorScaling() {}

  static List<Figure> measure(Options options, WorkedOrders worked) throws IOException {
    int episodes = options.count(200, 1); // of each environment, a tenth of a second or more
    int products = options.count(10, 1);
    int rounds = options.count(21, 1);
    var matrix = new MatrixProduct(options.count(MATRIX_SIZE, 64));
    long steps = (long) episodes * ENVIRONMENTS * WorkedOrders.STEPS;
    double[] vectorGains = new double[rounds];
    double[] matrixGains = new double[rounds];
    double[] speeds = new double[rounds];
    try (var one = environments(worked, 1);
        var two = environments(worked, 2)) {
      for (int round = -options.count(4, 0); round < rounds; round++) {
        double alone = seconds(() -> run(one, episodes));
        double together = seconds(() -> run(two, episodes));
        double matrixAlone = seconds(() -> multiply(matrix, products, 1));
        double matrixTogether = seconds(() -> multiply(matrix, products, 2));
        if (round >= 0) {
          vectorGains[round] = alone / together;
          matrixGains[round] = matrixAlone / matrixTogether;
          speeds[round] = steps / together;
        }
      }
    }
    options.log().printf("vector gains %s%n", Arrays.toString(vectorGains));
    options.log().printf("matrix gains %s%n", Arrays.toString(matrixGains));
    double vector = Timing.median(vectorGains);
    double product = Timing.median(matrixGains);
    return List.of(
        new Figure(STEPS, Timing.median(speeds), "steps/s"),
        new Figure(VECTOR, vector, "x"),
        new Figure(MATRIX, product, "x"),
        new Figure(SHARE, vector / product, "of sgemm's"));
  }

  static FiniteVectorEnv<Order, ?> environments(WorkedOrders worked, int threads) {
    return FiniteVectorEnv.shmem(
        worked.problem(), worked.endless(), VectorConfig.of(ENVIRONMENTS), List.of(), threads);
  }

  /// Runs so many episodes in each environment, all in step; a failed one would stop it.
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

  private static void multiply(MatrixProduct matrix, int products, int threads) {
    for (int i = 0; i < products; i++) {
      matrix.compute(threads);
    }
  }

  private static double seconds(Timing.Work work) throws IOException {
    return Timing.of(0, 1, work).wallSeconds();
  }
}
