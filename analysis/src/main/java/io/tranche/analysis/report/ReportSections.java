package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The report of one run, section by section. Sections without data are left out.
final class ReportSections {

  private static final String[] ADVANTAGE_COLUMNS = {
    "All, bps",
    "95 % interval",
    "Buys, bps",
    "95 % interval",
    "Sells, bps",
    "95 % interval",
    "Orders",
    "Days",
    "Completion",
    "Its completion"
  };

  private final ReportData data;
  private final List<Section> sections = new ArrayList<>();

  private ReportSections(ReportData data) {
    this.data = data;
  }

  static List<Section> of(ReportData data) {
    var made = new ReportSections(data);
    OrderSections orders =
        data.results().orders().isEmpty() ? null : new OrderSections(data.results().orders());
    made.facts(orders == null ? List.of() : orders.facts());
    if (!data.results().comparisons().isEmpty()) {
      made.advantage();
    }
    if (orders != null) {
      made.sections.addAll(orders.sections());
    }
    if (!data.results().costs().isEmpty()) {
      made.costs();
    }
    if (!data.results().examples().isEmpty()) {
      made.sections.add(ExampleSection.of(data.results().examples()));
    }
    if (!data.learning().checkpoints().isEmpty()) {
      made.checkpoints();
    }
    if (!data.learning().training().isEmpty()) {
      made.sections.add(TrainingSection.of(data.learning().training()));
    }
    if (!data.origin().warnings().isEmpty()) {
      var items = new Block.Items(data.origin().warnings());
      made.sections.add(Section.of("warnings", "Data warnings", "", items));
    }
    made.provenance();
    return made.sections;
  }

  private void facts(List<Fact> ofOrders) {
    var facts = new ArrayList<Fact>();
    if (!data.results().comparisons().isEmpty()) {
      Comparison first = data.results().comparisons().getFirst();
      facts.add(
          new Fact(
              "Advantage over " + first.reference(),
              Format.bps(first.together().meanBps()) + " bps",
              first.cancels()
                  ? "what buys win, sells of the same orders lose"
                  : Double.isNaN(first.together().low())
                      ? "no interval from one day"
                      : "95 % interval " + Format.interval(first.together())));
    }
    facts.addAll(ofOrders);
    if (!facts.isEmpty()) {
      sections.add(Section.of("summary", "Summary", "", new Block.Facts(facts)));
    }
  }

  private void advantage() {
    var rows = new IntervalRows();
    for (Comparison comparison : data.results().comparisons()) {
      Difference together = comparison.together();
      Difference buys = comparison.sides().get(Side.BUY);
      Difference sells = comparison.sides().get(Side.SELL);
      rows.add(
          comparison.reference(),
          together,
          mean(buys),
          interval(buys),
          mean(sells),
          interval(sells),
          Format.count(together.orders()),
          Format.count(together.days()),
          Format.percent(comparison.completion()),
          Format.percent(comparison.referenceCompletion()));
    }
    String caption =
        "Advantage over each reference with its 95 % interval, in bps; a filled dot where the"
            + " interval does not contain zero";
    sections.add(
        new Section(
            "advantage",
            "Advantage",
            "How much better than each reference after costs, order by order on the same orders, in"
                + " basis points of the price (1 bps = 0.01 %). Positive is better. Completion is the"
                + " filled part of an order. Intervals hold the true mean"
                + " with 95 % confidence and take each day as one observation.",
            List.of(
                Panel.of("", rows.figure(caption)),
                Panel.of("", rows.table("Against", ADVANTAGE_COLUMNS)))));
  }

  private static String mean(@Nullable Difference difference) {
    return difference == null ? Format.NONE : Format.bps(difference.meanBps());
  }

  private static String interval(@Nullable Difference difference) {
    return difference == null ? Format.NONE : Format.interval(difference);
  }

  private void costs() {
    var rows = new ArrayList<List<String>>();
    data.results().costs().forEach(cost -> rows.add(List.of(cost.name(), Format.cost(cost.bps()))));
    double total = data.results().costs().stream().mapToDouble(CostItem::bps).sum();
    List<Chart.Item> items =
        data.results().costs().stream()
            .map(cost -> new Chart.Item(cost.name(), cost.bps(), Double.NaN, Double.NaN))
            .toList();
    var blocks = new ArrayList<Block>();
    blocks.add(
        new Block.Figure("Cost by kind, in bps of the value traded", new Chart.Intervals(items)));
    if (items.size() > 1) {
      rows.add(List.of("Total", Format.cost(total)));
      blocks.add(new Block.Table(Column.named("Cost", "bps"), rows));
    }
    sections.add(
        Section.of(
            "costs",
            "Costs",
            "What trading costs, in basis points of the value traded: %s in all. Positive is a cost."
                .formatted(Format.cost(total)),
            blocks.toArray(Block[]::new)));
  }

  private void checkpoints() {
    var rows = new IntervalRows();
    data.learning().checkpoints().forEach(score -> rows.add(score.name(), score.overTwap()));
    var means =
        new Distribution(
            data.learning().checkpoints().stream()
                .mapToDouble(score -> score.overTwap().meanBps())
                .toArray());
    rows.addRow(
        "Mean ± standard deviation",
        Format.bps(means.mean()),
        Double.isNaN(means.deviation()) ? Format.NONE : "± " + Format.cost(means.deviation()));
    sections.add(
        Section.of(
            "checkpoints",
            "Checkpoint stability",
            "The advantage of each checkpoint over TWAP on the same orders. An agent that has learnt"
                + " something keeps it from one checkpoint to the next.",
            rows.figure("Advantage of each checkpoint over TWAP, in bps"),
            rows.table("Checkpoint", "Mean, bps", "95 % interval")));
  }

  private void provenance() {
    var panels = new ArrayList<Panel>();
    if (!data.origin().commit().isEmpty()) {
      panels.add(Panel.of("", new Block.Items(List.of("Commit " + data.origin().commit()))));
    }
    if (!data.origin().config().isEmpty()) {
      panels.add(Panel.of("", new Block.Source("Configuration", data.origin().config())));
    }
    if (!panels.isEmpty()) {
      sections.add(new Section("provenance", "How it was made", "", panels));
    }
  }
}
