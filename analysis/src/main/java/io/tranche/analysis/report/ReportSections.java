package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Difference;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a report of one run says, section by section; those without data do not exist.
final class ReportSections {

  static final String BPS = "bps";

  private final ReportData data;
  private final @Nullable OrderSections orders;
  private final List<Section> sections = new ArrayList<>();

  private ReportSections(ReportData data) {
    this.data = data;
    this.orders = data.orders().isEmpty() ? null : new OrderSections(data.orders());
  }

  static List<Section> of(ReportData data) {
    var made = new ReportSections(data);
    made.facts();
    made.advantage();
    if (made.orders != null) {
      made.sections.addAll(made.orders.sections());
    }
    made.costs();
    if (!data.examples().isEmpty()) {
      made.sections.add(ExampleSection.of(data.examples()));
    }
    made.checkpoints();
    if (!data.training().isEmpty()) {
      made.sections.add(TrainingSection.of(data.training()));
    }
    made.warnings();
    made.provenance();
    return made.sections;
  }

  private void facts() {
    var facts = new ArrayList<Fact>();
    if (!data.comparisons().isEmpty()) {
      Comparison first = data.comparisons().getFirst();
      facts.add(
          new Fact(
              "Advantage over " + first.reference(),
              Format.bps(first.together().meanBps()) + " bps",
              Double.isNaN(first.together().low())
                  ? "no interval from one day"
                  : "95 % interval " + Format.interval(first.together())));
    }
    if (orders != null) {
      facts.addAll(orders.facts());
    }
    if (!facts.isEmpty()) {
      sections.add(
          new Section("summary", "Summary", "", List.of(Panel.of("", new Block.Facts(facts)))));
    }
  }

  private void advantage() {
    if (data.comparisons().isEmpty()) {
      return;
    }
    var rows = new ArrayList<List<String>>();
    var items = new ArrayList<Chart.Item>();
    for (Comparison comparison : data.comparisons()) {
      Difference together = comparison.together();
      rows.add(
          List.of(
              comparison.reference(),
              Format.bps(together.meanBps()),
              Format.interval(together),
              mean(comparison.sides().get(Side.BUY)),
              interval(comparison.sides().get(Side.BUY)),
              mean(comparison.sides().get(Side.SELL)),
              interval(comparison.sides().get(Side.SELL)),
              Format.count(together.orders()),
              Format.count(together.days())));
      items.add(item(comparison.reference(), together));
    }
    sections.add(
        new Section(
            "advantage",
            "Advantage",
            "How much better than each reference, order by order on the same orders, in basis points"
                + " of the price (1 bps = 0.01 %). Positive is better. Intervals hold the true mean"
                + " with 95 % confidence and take whole days as one observation each.",
            List.of(
                Panel.of(
                    "",
                    new Block.Figure(
                        "Advantage over each reference with its 95 % interval, in bps; a filled dot where the"
                            + " interval does not contain zero",
                        new Chart.Intervals(BPS, items))),
                Panel.of(
                    "",
                    new Block.Table(
                        Column.named(
                            "Against",
                            "All, bps",
                            "95 % interval",
                            "Buys, bps",
                            "95 % interval",
                            "Sells, bps",
                            "95 % interval",
                            "Orders",
                            "Days"),
                        rows)))));
  }

  static Chart.Item item(String label, Difference difference) {
    return new Chart.Item(label, difference.meanBps(), difference.low(), difference.high());
  }

  private static String mean(@Nullable Difference difference) {
    return difference == null ? Format.NONE : Format.bps(difference.meanBps());
  }

  private static String interval(@Nullable Difference difference) {
    return difference == null ? Format.NONE : Format.interval(difference);
  }

  private void costs() {
    if (data.costs().isEmpty()) {
      return;
    }
    var rows = new ArrayList<List<String>>();
    var items = new ArrayList<Chart.Item>();
    double total = 0;
    for (CostItem cost : data.costs()) {
      rows.add(List.of(cost.name(), Format.cost(cost.bps())));
      items.add(new Chart.Item(cost.name(), cost.bps(), Double.NaN, Double.NaN));
      total += cost.bps();
    }
    rows.add(List.of("Total", Format.cost(total)));
    sections.add(
        new Section(
            "costs",
            "Costs",
            "What trading costs, in basis points of the value traded. Positive is a cost.",
            List.of(
                Panel.of(
                    "",
                    new Block.Figure(
                        "Cost by kind, in bps of the value traded",
                        new Chart.Intervals(BPS, items)),
                    new Block.Table(Column.named("Cost", "bps"), rows)))));
  }

  private void checkpoints() {
    if (data.checkpoints().isEmpty()) {
      return;
    }
    var rows = new ArrayList<List<String>>();
    var items = new ArrayList<Chart.Item>();
    for (CheckpointScore score : data.checkpoints()) {
      Difference difference = score.overTwap();
      rows.add(
          List.of(score.name(), Format.bps(difference.meanBps()), Format.interval(difference)));
      items.add(item(score.name(), difference));
    }
    var scatter =
        new Distribution(
            data.checkpoints().stream().mapToDouble(score -> score.overTwap().meanBps()).toArray());
    rows.add(
        List.of(
            "Mean ± standard deviation",
            Format.bps(scatter.mean()),
            Double.isNaN(scatter.deviation())
                ? Format.NONE
                : "± " + Format.cost(scatter.deviation())));
    sections.add(
        new Section(
            "checkpoints",
            "Checkpoint stability",
            "The advantage of each checkpoint over TWAP on the same orders. An agent that has learnt"
                + " something keeps it from one checkpoint to the next.",
            List.of(
                Panel.of(
                    "",
                    new Block.Figure(
                        "Advantage of each checkpoint over TWAP, in bps",
                        new Chart.Intervals(BPS, items)),
                    new Block.Table(
                        Column.named("Checkpoint", "Mean, bps", "95 % interval"), rows)))));
  }

  private void warnings() {
    if (!data.warnings().isEmpty()) {
      sections.add(
          new Section(
              "warnings",
              "Data warnings",
              "",
              List.of(Panel.of("", new Block.Items(data.warnings())))));
    }
  }

  private void provenance() {
    var panels = new ArrayList<Panel>();
    if (!data.commit().isEmpty()) {
      panels.add(Panel.of("", new Block.Items(List.of("Commit " + data.commit()))));
    }
    if (!data.config().isEmpty()) {
      panels.add(Panel.of("", new Block.Source("Configuration", data.config())));
    }
    if (!panels.isEmpty()) {
      sections.add(new Section("provenance", "How it was made", "", panels));
    }
  }
}
