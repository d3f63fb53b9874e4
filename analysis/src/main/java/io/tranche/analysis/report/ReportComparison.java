package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.DailyMeans;
import io.tranche.analysis.PolicyResults;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Order;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Several runs beside each other.
///
/// @param runs at least two; the first is the one that others are compared with
public record ReportComparison(List<ReportData> runs) {

  public ReportComparison {
    runs = List.copyOf(runs);
    if (runs.size() < 2) {
      throw new IllegalArgumentException("runs must be at least two, was " + runs.size());
    }
  }

  Page page() {
    List<String> names = names();
    var sections = new ArrayList<Section>();
    sections.add(verdicts(names));
    addAdvantages(sections, names);
    addPairs(sections, names);
    addCumulative(sections, names);
    addValidation(sections, names);
    return new Page(
        "Comparison of %d runs".formatted(runs.size()), String.join(" · ", names), null, sections);
  }

  /// Titles, with a number where two are the same.
  private List<String> names() {
    var names = new ArrayList<String>();
    for (int i = 0; i < runs.size(); i++) {
      String title = runs.get(i).title();
      boolean alone = runs.stream().filter(run -> run.title().equals(title)).count() == 1;
      names.add(alone ? title : "%s (%d)".formatted(title, i + 1));
    }
    return names;
  }

  private Section verdicts(List<String> names) {
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < runs.size(); i++) {
      ReportData run = runs.get(i);
      rows.add(
          List.of(
              names.get(i),
              run.verdict() == null ? Format.NONE : Page.word(run.verdict().kind()),
              run.verdict() == null ? Format.NONE : run.verdict().sentence(),
              Format.count(run.orders().size()),
              Format.percent(Breakdown.meanFillRate(run.orders())),
              run.commit().isEmpty() ? Format.NONE : run.commit()));
    }
    return new Section(
        "verdicts",
        "Verdicts",
        "",
        List.of(
            Panel.of(
                "",
                new Block.Table(
                    List.of(
                        new Column("Run", false),
                        new Column("Verdict", false),
                        new Column("", false),
                        new Column("Orders", true),
                        new Column("Fill rate", true),
                        new Column("Commit", false)),
                    rows))));
  }

  private void addAdvantages(List<Section> sections, List<String> names) {
    Set<String> references = new LinkedHashSet<>();
    runs.forEach(run -> run.comparisons().forEach(each -> references.add(each.reference())));
    var panels = new ArrayList<Panel>();
    for (String reference : references) {
      var judged = new ArrayList<Judged>();
      for (int i = 0; i < runs.size(); i++) {
        for (Comparison comparison : runs.get(i).comparisons()) {
          if (comparison.reference().equals(reference)) {
            judged.add(new Judged(names.get(i), comparison));
          }
        }
      }
      panels.add(panel("Against " + reference, judged));
    }
    if (!panels.isEmpty()) {
      sections.add(
          new Section(
              "advantage",
              "Advantage",
              "Each run on its own orders. Intervals that overlap do not show that runs are equal:"
                  + " the next section compares them order by order, where that is possible.",
              panels));
    }
  }

  private record Judged(String name, Comparison comparison) {}

  private static Panel panel(String heading, List<Judged> all) {
    return Panel.of(
        heading,
        new Block.Figure(
            heading + ": mean advantage with its 95 % interval, in bps",
            new Chart.Intervals(
                ReportSections.BPS,
                all.stream()
                    .map(each -> ReportSections.item(each.name, each.comparison.together()))
                    .toList())),
        new Block.Table(
            Column.named("Run", "Mean, bps", "95 % interval", "Orders", "Days"),
            all.stream()
                .map(
                    each ->
                        List.of(
                            each.name,
                            Format.bps(each.comparison.together().meanBps()),
                            Format.interval(each.comparison.together()),
                            Format.count(each.comparison.together().orders()),
                            Format.count(each.comparison.together().days())))
                .toList()));
  }

  /// Only runs on the very orders of the first can be compared with it order by order.
  private void addPairs(List<Section> sections, List<String> names) {
    var judged = new ArrayList<Judged>();
    for (int i = 1; i < runs.size(); i++) {
      Comparison comparison = overFirst(i, names);
      if (comparison != null) {
        judged.add(new Judged(names.get(i), comparison));
      }
    }
    if (!judged.isEmpty()) {
      sections.add(
          new Section(
              "pairs",
              "Order by order against the first run",
              "How much better than %s on the same orders, in bps.".formatted(names.getFirst()),
              List.of(panel("", judged))));
    }
  }

  private @Nullable Comparison overFirst(int run, List<String> names) {
    PolicyResults first = results(names.getFirst(), runs.getFirst());
    PolicyResults other = results(names.get(run), runs.get(run));
    boolean same =
        !first.orders().isEmpty() && orders(runs.getFirst()).equals(orders(runs.get(run)));
    return same ? Comparison.of(other, first) : null;
  }

  private static List<Order> orders(ReportData run) {
    return run.orders().stream().map(OrderRow::order).toList();
  }

  private static PolicyResults results(String name, ReportData run) {
    return new PolicyResults(name, run.orders().stream().map(OrderRow::result).toList());
  }

  private void addCumulative(List<Section> sections, List<String> names) {
    List<DailyMeans> daily = runs.stream().map(run -> Breakdown.daily(run.orders())).toList();
    var dates = new TreeSet<LocalDate>();
    daily.forEach(each -> dates.addAll(each.bps().keySet()));
    if (dates.isEmpty()) {
      return;
    }
    var lines = new ArrayList<Chart.Line>();
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < runs.size(); i++) {
      List<Double> sums = daily.get(i).cumulative(dates);
      lines.add(new Chart.Line(names.get(i), sums));
      rows.add(
          List.of(
              names.get(i), Format.count(daily.get(i).bps().size()), Format.bps(sums.getLast())));
    }
    sections.add(
        new Section(
            "cumulative",
            "Cumulative advantage",
            "Each day’s mean advantage over the window’s mean price, added up day by day.",
            List.of(
                Panel.of(
                    "",
                    new Block.Figure(
                        "Sum of the daily mean advantages, in bps",
                        new Chart.Lines(
                            ReportSections.BPS,
                            dates.stream().map(LocalDate::toString).toList(),
                            lines)),
                    new Block.Table(Column.named("Run", "Days", "Sum, bps"), rows)))));
  }

  private void addValidation(List<Section> sections, List<String> names) {
    var iterations = new TreeSet<Integer>();
    runs.forEach(run -> run.training().forEach(point -> iterations.add(point.iteration())));
    var lines = new ArrayList<Chart.Line>();
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < runs.size(); i++) {
      var values = new TreeMap<Integer, Double>();
      for (TrainingPoint point : runs.get(i).training()) {
        if (!Double.isNaN(point.validationBps())) {
          values.put(point.iteration(), point.validationBps());
        }
      }
      if (!values.isEmpty()) {
        lines.add(
            new Chart.Line(
                names.get(i),
                iterations.stream().map(at -> values.getOrDefault(at, Double.NaN)).toList()));
        rows.add(
            List.of(
                names.get(i),
                Integer.toString(values.lastKey()),
                Format.bps(Objects.requireNonNull(values.lastEntry()).getValue())));
      }
    }
    if (!lines.isEmpty()) {
      sections.add(
          new Section(
              "validation",
              "Validation",
              "The mean advantage on the orders held out, by iteration.",
              List.of(
                  Panel.of(
                      "",
                      new Block.Figure(
                          "Validation advantage by iteration, in bps",
                          new Chart.Lines(
                              ReportSections.BPS,
                              iterations.stream().map(String::valueOf).toList(),
                              lines)),
                      new Block.Table(
                          Column.named("Run", "Last iteration", "Validation, bps"), rows)))));
    }
  }
}
