package io.tranche.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.analysis.LinearFit.Sample;
import io.tranche.execution.baseline.LinearBaseline.Model;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The linear baseline's regressions against NumPy's least squares. There the penalty is a row per
/// column below the samples, in raw units and beside a constant, so nothing is centred or scaled.
class LinearFitPeerTest {

  private static final String PROGRAM =
      """
      import sys
      import numpy as np

      table = np.loadtxt(sys.argv[1], delimiter=",")
      step, day, y, x = table[:, 0], table[:, 1], table[:, 2], table[:, 3:]

      def ridge(x, y, penalty):
          count, width = x.shape
          varies = np.ptp(x, axis=0) > 0
          rows = np.diag(np.where(varies, np.sqrt(penalty * count) * x.std(axis=0), 1))
          system = np.block([[np.ones((count, 1)), x], [np.zeros((width, 1)), rows]])
          return np.linalg.lstsq(system, np.r_[y, np.zeros(width)], rcond=None)[0]

      def forecast(solution, x, mean):
          return np.c_[np.ones(len(x)), x] @ solution - mean

      days = np.unique(day)
      end = days[int(np.floor(0.8 * len(days) + 0.5))]
      gains = {np.inf: 0}
      for penalty in (0.001, 0.01, 0.1, 1, 10):
          gains[penalty] = 0
          for s in np.unique(step):
              old, new = (step == s) & (day < end), (step == s) & (day >= end)
              missed = y[new] - forecast(ridge(x[old], y[old], penalty), x[new], y[old].mean())
              gains[penalty] += (y[new] ** 2).sum() - (missed ** 2).sum()
      penalty = max(gains, key=gains.get)
      print(str(penalty).replace("inf", "Infinity"))
      if penalty < np.inf:
          for s in np.unique(step):
              own = step == s
              solution = ridge(x[own], y[own], penalty)
              scale = np.sqrt((forecast(solution, x[own], y[own].mean()) ** 2).mean())
              solution[0] -= y[own].mean()
              print(*(solution / scale), sep=",")
      """;

  private static final int WIDTH = 4;
  private static final int STEPS = 3;

  @TempDir private Path folder;

  @Test
  void agreesWithNumpy() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    var penalties = new HashSet<Double>();
    for (double signal : new double[] {-1, 0.3, 0.8, 30}) {
      List<List<Sample>> steps = steps(signal);

      String[] answer = Python.run(python, PROGRAM, file(steps).toString()).strip().split("\n", -1);

      List<Model> models = LinearFit.models(steps, WIDTH);
      assertThat(models).hasSize(STEPS);
      double penalty = Double.parseDouble(answer[0]);
      penalties.add(penalty);
      for (int step = 0; step < STEPS; step++) {
        Model model = models.get(step);
        if (Double.isInfinite(penalty)) {
          assertThat(model).isEqualTo(new Model(0, List.of()));
          continue;
        }
        double[] peer =
            Arrays.stream(answer[1 + step].split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        assertThat(model.constant()).isCloseTo(peer[0], within(1e-9));
        assertThat(model.weights()).hasSize(WIDTH);
        for (int i = 0; i < WIDTH; i++) {
          assertThat(model.weights().get(i)).isCloseTo(peer[1 + i], within(1e-9));
        }
      }
    }
    // With a signal that turns round, none; otherwise not always the same.
    assertThat(penalties).contains(Double.POSITIVE_INFINITY).hasSizeGreaterThan(2);
  }

  /// Features of different sizes, of which two are nearly alike and one is always the same.
  ///
  /// @param signal how much they say; if negative, the opposite in the last days
  private static List<List<Sample>> steps(double signal) {
    var random = new SplittableRandom(1);
    var steps = new ArrayList<List<Sample>>();
    for (int step = 0; step < STEPS; step++) {
      var samples = new ArrayList<Sample>();
      for (int day = 0; day < 40; day++) {
        for (int order = 0; order < 3; order++) {
          double first = random.nextGaussian();
          double second = first + 0.1 * random.nextGaussian();
          double third = 5 + 100 * random.nextGaussian();
          boolean isTurned = signal < 0 && day >= 32;
          double known = Math.abs(signal) * (first + 0.01 * third) * (isTurned ? -1 : 1);
          samples.add(
              new Sample(
                  LocalDate.of(2024, 1, 1).plusDays(day),
                  List.of((float) first, (float) second, (float) third, 0.3f),
                  1 + known + 5 * random.nextGaussian()));
        }
      }
      steps.add(samples);
    }
    return steps;
  }

  private Path file(List<List<Sample>> steps) throws IOException {
    var lines = new ArrayList<String>();
    for (int step = 0; step < steps.size(); step++) {
      for (Sample each : steps.get(step)) {
        lines.add(
            "%d,%d,%s,%s"
                .formatted(
                    step,
                    each.date().toEpochDay(),
                    each.riseBps(),
                    each.row().stream()
                        .map(value -> Double.toString(value))
                        .collect(Collectors.joining(","))));
      }
    }
    return Files.write(folder.resolve("samples.csv"), lines, UTF_8);
  }
}
