package io.tranche.benchmarks.learning;

import io.tranche.analysis.report.TrainingPoint;
import io.tranche.benchmarks.measure.Drawing;
import io.tranche.cli.console.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Curves of validation as an SVG: one panel per algorithm, one colour per seed.
final class LearningPicture {

  private static final List<String> COLOURS = List.of("#1f6feb", "#d1481f", "#2a9d5c");

  private static final int LEFT = 44;
  private static final int WIDTH = 180;
  private static final int PITCH = 212;
  private static final int TOP = 60;
  private static final int BOTTOM = 250;

  /// Basis points between two lines of the grid.
  private static final int GRID = 5;

  /// The ends of the iterations' axes are multiples of this.
  private static final int ROUND = 20;

  private final Drawing drawing;
  private final double low;
  private final double high;

  private LearningPicture(List<LearningRun> runs, int panels) {
    drawing =
        new Drawing(
            Math.max(4, panels) * PITCH + 32,
            300,
            LEFT,
            "Advantage over TWAP on the validation days, basis points, by iteration");
    var bps =
        runs.stream()
            .flatMap(run -> run.curve().stream())
            .mapToDouble(TrainingPoint::validationBps)
            .summaryStatistics();
    low = Math.floor(Math.min(-1, bps.getMin()) / GRID) * GRID;
    high = Math.ceil(Math.max(1, bps.getMax()) / GRID) * GRID;
  }

  static String of(List<LearningRun> runs) {
    var panels = new LinkedHashMap<String, List<LearningRun>>();
    runs.forEach(run -> panels.computeIfAbsent(run.algorithm(), _ -> new ArrayList<>()).add(run));
    return new LearningPicture(runs, panels.size()).draw(panels);
  }

  private String draw(Map<String, List<LearningRun>> panels) {
    int left = LEFT;
    for (var panel : panels.entrySet()) {
      panel(left, panel.getKey(), panel.getValue());
      left += PITCH;
    }
    for (int seed = 1; seed <= COLOURS.size(); seed++) {
      drawing.legend(LEFT + (seed - 1) * 90, 292, colour(seed), "seed " + seed);
    }
    return drawing.end();
  }

  private void panel(int left, String algorithm, List<LearningRun> runs) {
    drawing.add("<text x=\"%d\" y=\"50\" font-weight=\"bold\">%s</text>", left, algorithm);
    for (double bps = low; bps <= high; bps += GRID) {
      drawing.grid(left, WIDTH, y(bps), Text.of("%.0f", bps));
    }
    int longest =
        runs.stream().mapToInt(run -> run.curve().getLast().iteration()).max().orElseThrow();
    int end = Math.ceilDiv(longest, ROUND) * ROUND;
    for (int iteration = 0; iteration <= end; iteration += end / 2) {
      drawing.add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
          x(left, iteration, end), BOTTOM + 16, iteration);
    }
    for (LearningRun run : runs) {
      drawing.add(
          "<polyline class=\"curve\" stroke=\"%s\" points=\"%s\"/>",
          colour(run.seed()),
          run.curve().stream()
              .map(
                  point ->
                      Text.of(
                          "%.1f,%.1f", x(left, point.iteration(), end), y(point.validationBps())))
              .collect(Collectors.joining(" ")));
    }
  }

  private static String colour(int seed) {
    return COLOURS.get((seed - 1) % COLOURS.size());
  }

  private static double x(int left, int iteration, int end) {
    return left + (double) iteration / end * WIDTH;
  }

  private double y(double bps) {
    return BOTTOM - (bps - low) / (high - low) * (BOTTOM - TOP);
  }
}
