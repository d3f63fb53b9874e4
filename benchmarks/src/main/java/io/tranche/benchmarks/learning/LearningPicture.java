package io.tranche.benchmarks.learning;

import io.tranche.analysis.report.TrainingPoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/// Curves of validation as an SVG: a panel an algorithm, a colour a seed.
final class LearningPicture {

  private static final List<String> COLOURS = List.of("#1f6feb", "#d1481f", "#2a9d5c");

  private static final int LEFT = 44;
  private static final int WIDTH = 180;
  private static final int PITCH = 212;
  private static final int TOP = 60;
  private static final int BOTTOM = 250;

  /// Basis points between two lines of the grid.
  private static final int GRID = 5;

  /// What the ends of the iterations' axes are multiples of.
  private static final int ROUND = 20;

  private final StringBuilder svg = new StringBuilder();
  private final double low;
  private final double high;

  private LearningPicture(List<LearningRun> runs) {
    var bps =
        runs.stream()
            .flatMap(run -> run.curve().stream())
            .mapToDouble(TrainingPoint::validationBps)
            .summaryStatistics();
    low = Math.floor(Math.min(-1, bps.getMin()) / GRID) * GRID;
    high = Math.ceil(Math.max(1, bps.getMax()) / GRID) * GRID;
  }

  static String of(List<LearningRun> runs) {
    Map<String, List<LearningRun>> panels =
        runs.stream()
            .collect(
                Collectors.groupingBy(
                    LearningRun::algorithm, LinkedHashMap::new, Collectors.toList()));
    return new LearningPicture(runs).draw(panels);
  }

  private String draw(Map<String, List<LearningRun>> panels) {
    int width = Math.max(4, panels.size()) * PITCH + 32;
    add(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d 300\""
                + " font-family=\"sans-serif\" font-size=\"12\">",
            width));
    svg.append(
        """
        <style>text { fill: #444 } .title { font-size: 15px; font-weight: bold } \
        .grid { stroke: #ddd } .curve { fill: none; stroke-width: 1.8 }</style>
        """);
    add(String.format(Locale.ROOT, "<rect width=\"%d\" height=\"300\" fill=\"#fff\"/>", width));
    add(
        String.format(
            Locale.ROOT,
            "<text class=\"title\" x=\"%d\" y=\"26\">%s</text>",
            LEFT,
            "Advantage over TWAP on the validation days, basis points, by iteration"));
    int left = LEFT;
    for (var panel : panels.entrySet()) {
      panel(left, panel.getKey(), panel.getValue());
      left += PITCH;
    }
    for (int seed = 1; seed <= COLOURS.size(); seed++) {
      legend(LEFT + (seed - 1) * 90, seed);
    }
    add("</svg>");
    return svg.toString();
  }

  private void panel(int left, String algorithm, List<LearningRun> runs) {
    add(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"50\" font-weight=\"bold\">%s</text>",
            left,
            algorithm));
    for (double bps = low; bps <= high; bps += GRID) {
      add(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
              left,
              left + WIDTH,
              y(bps),
              y(bps)));
      add(
          String.format(
              Locale.ROOT,
              "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>",
              left - 6,
              y(bps) + 4,
              bps));
    }
    int longest =
        runs.stream().mapToInt(run -> run.curve().getLast().iteration()).max().orElseThrow();
    int end = Math.ceilDiv(longest, ROUND) * ROUND;
    for (int iteration = 0; iteration <= end; iteration += end / 2) {
      add(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
              x(left, iteration, end),
              BOTTOM + 16,
              iteration));
    }
    for (LearningRun run : runs) {
      var points = new StringJoiner(" ");
      for (TrainingPoint point : run.curve()) {
        points.add(
            String.format(
                Locale.ROOT,
                "%.1f,%.1f",
                x(left, point.iteration(), end),
                y(point.validationBps())));
      }
      add(
          String.format(
              Locale.ROOT,
              "<polyline class=\"curve\" stroke=\"%s\" points=\"%s\"/>",
              colour(run.seed()),
              points));
    }
  }

  private void legend(int left, int seed) {
    add(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" x2=\"%d\" y1=\"288\" y2=\"288\" stroke=\"%s\" stroke-width=\"2\"/>"
                + "<text x=\"%d\" y=\"292\">seed %d</text>",
            left,
            left + 24,
            colour(seed),
            left + 30,
            seed));
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

  private void add(String element) {
    svg.append(element).append('\n');
  }
}
