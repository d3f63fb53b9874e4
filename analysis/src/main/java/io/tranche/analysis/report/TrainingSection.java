package io.tranche.analysis.report;

import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The section about how the agent learnt.
final class TrainingSection {

  private static final int ROWS = 12;

  private TrainingSection() {}

  /// @param training at least one point
  static Section of(List<TrainingPoint> training) {
    var panels = new ArrayList<Panel>();
    List<Chart.Line> advantages = new ArrayList<>();
    add(advantages, "Training", training, TrainingPoint::trainingBps);
    add(advantages, "Validation", training, TrainingPoint::validationBps);
    List<Chart.Line> rewards = new ArrayList<>();
    add(rewards, "Reward", training, TrainingPoint::reward);
    var blocks = new ArrayList<Block>();
    if (!advantages.isEmpty()) {
      String caption = "Mean advantage by iteration, in bps";
      blocks.add(new Block.Figure(caption, chart(Chart.BPS, training, advantages)));
    }
    blocks.add(table(training));
    panels.add(new Panel("", blocks));
    if (!rewards.isEmpty()) {
      String caption = "Mean reward of a training episode by iteration";
      panels.add(Panel.of("", new Block.Figure(caption, chart("reward", training, rewards))));
    }
    return new Section(
        "training",
        "Training",
        "The advantage on the orders trained on and on those held out. The gap between them is"
            + " memory, not skill."
            + gap(training),
        panels);
  }

  private static Chart chart(String unit, List<TrainingPoint> training, List<Chart.Line> lines) {
    return Chart.Lines.of(unit, training.stream().map(TrainingPoint::iteration), lines);
  }

  private static void add(
      List<Chart.Line> lines,
      String name,
      List<TrainingPoint> training,
      ToDoubleFunction<TrainingPoint> number) {
    List<Double> values = training.stream().mapToDouble(number).boxed().toList();
    if (values.stream().anyMatch(value -> !Double.isNaN(value))) {
      lines.add(new Chart.Line(name, values));
    }
  }

  private static double gapOf(TrainingPoint point) {
    return point.trainingBps() - point.validationBps();
  }

  private static String gap(List<TrainingPoint> training) {
    return training.reversed().stream()
        .filter(point -> !Double.isNaN(gapOf(point)))
        .findFirst()
        .map(
            point ->
                " It was %s bps at iteration %d, the last with both."
                    .formatted(Format.bps(gapOf(point)), point.iteration()))
        .orElse("");
  }

  /// Shows at most [#ROWS] iterations, evenly spread, the last among them.
  private static Block table(List<TrainingPoint> training) {
    int every = Math.ceilDiv(training.size(), ROWS);
    var rows = new ArrayList<List<String>>();
    for (int i = (training.size() - 1) % every; i < training.size(); i += every) {
      TrainingPoint point = training.get(i);
      rows.add(
          List.of(
              Integer.toString(point.iteration()),
              Format.decimal(point.reward()),
              Format.bps(point.trainingBps()),
              Format.bps(point.validationBps()),
              Format.bps(gapOf(point))));
    }
    return new Block.Table(
        Column.numbers("Iteration", "Reward", "Training, bps", "Validation, bps", "Gap, bps"),
        rows);
  }
}
