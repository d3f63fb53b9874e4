package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.DailyMeans;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Order;
import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Several runs side by side.
///
/// @param runs at least two; the others are compared with the first
public record ReportComparison(List<ReportData> runs) {

  /// The seed of the run, not those of its data.
  private static final Pattern SEED =
      Pattern.compile("(?m)(^runtime:\\R(?: +.*\\R)*? +seed: )(\\S+)");

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
    addSeeds(sections, names);
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
              Format.count(run.results().orders().size()),
              Format.percent(Breakdown.meanFillRate(run.results().orders())),
              run.origin().commit().isEmpty() ? Format.NONE : run.origin().commit()));
    }
    var columns = new ArrayList<>(Column.texts("Run", "Verdict", ""));
    columns.addAll(Column.numbers("Orders", "Fill rate"));
    columns.addAll(Column.texts("Commit"));
    return Section.of("verdicts", "Verdicts", "", new Block.Table(columns, rows));
  }

  private void addAdvantages(List<Section> sections, List<String> names) {
    Map<String, IntervalRows> references = new LinkedHashMap<>();
    for (int i = 0; i < runs.size(); i++) {
      for (Comparison comparison : runs.get(i).results().comparisons()) {
        String reference = comparison.reference();
        var rows = references.computeIfAbsent(reference, _ -> new IntervalRows());
        add(rows, names.get(i), comparison);
      }
    }
    var panels = new ArrayList<Panel>();
    references.forEach((reference, rows) -> panels.add(panel("Against " + reference, rows)));
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

  /// Runs that differ only in their seed are repetitions of one experiment.
  private void addSeeds(List<Section> sections, List<String> names) {
    var experiments = new LinkedHashMap<String, List<Integer>>();
    for (int i = 0; i < runs.size(); i++) {
      ReportData run = runs.get(i);
      if (!run.origin().config().isEmpty() && !run.results().comparisons().isEmpty()) {
        String config = SEED.matcher(run.origin().config()).replaceAll("$1");
        experiments.computeIfAbsent(config, _ -> new ArrayList<>()).add(i);
      }
    }
    var panels = new ArrayList<Panel>();
    for (List<Integer> members : experiments.values()) {
      if (members.size() > 1) {
        var rows = new IntervalRows();
        var means = new ArrayList<Double>();
        for (int i : members) {
          Difference own = runs.get(i).results().comparisons().getFirst().together();
          means.add(own.meanBps());
          rows.add("%s, seed %s".formatted(names.get(i), seed(runs.get(i))), own);
        }
        rows.add(
            "Mean of %d seeds, interval of the mean".formatted(members.size()),
            Difference.ofRepetitions(means));
        String reference =
            runs.get(members.getFirst()).results().comparisons().getFirst().reference();
        panels.add(
            Panel.of(
                "Against " + reference,
                rows.figure("Advantage by seed with its 95 % interval, in bps"),
                rows.table("Run", "Mean, bps", "95 % interval")));
      }
    }
    if (!panels.isEmpty()) {
      sections.add(
          new Section(
              "seeds",
              "By seed",
              "Runs that differ only in their seed. Each interval is of one run, clustered by day;"
                  + " the last is of the mean over seeds, and shows what another seed might give.",
              panels));
    }
  }

  private static String seed(ReportData run) {
    Matcher found = SEED.matcher(run.origin().config());
    return found.find() ? found.group(2) : Format.NONE;
  }

  private static void add(IntervalRows rows, String name, Comparison comparison) {
    Difference together = comparison.together();
    rows.add(name, together, Format.count(together.orders()), Format.count(together.days()));
  }

  private static Panel panel(String heading, IntervalRows rows) {
    return Panel.of(
        heading,
        rows.figure(heading + ": mean advantage with its 95 % interval, in bps"),
        rows.table("Run", "Mean, bps", "95 % interval", "Orders", "Days"));
  }

  /// Only runs on exactly the orders of the first can be compared with it order by order.
  private void addPairs(List<Section> sections, List<String> names) {
    List<Order> orders = orders(runs.getFirst());
    PolicyResults first = results(names.getFirst(), runs.getFirst());
    var rows = new IntervalRows();
    for (int i = 1; i < runs.size(); i++) {
      if (!orders.isEmpty() && orders(runs.get(i)).equals(orders)) {
        add(rows, names.get(i), Comparison.of(results(names.get(i), runs.get(i)), first));
      }
    }
    if (!rows.isEmpty()) {
      sections.add(
          new Section(
              "pairs",
              "Order by order against the first run",
              "How much better than %s on the same orders, in bps.".formatted(names.getFirst()),
              List.of(panel("", rows))));
    }
  }

  private static List<Order> orders(ReportData run) {
    return run.results().orders().stream().map(OrderRow::order).toList();
  }

  private static PolicyResults results(String name, ReportData run) {
    return new PolicyResults(name, run.results().orders().stream().map(OrderRow::result).toList());
  }

  private void addCumulative(List<Section> sections, List<String> names) {
    List<DailyMeans> daily =
        runs.stream().map(run -> Breakdown.daily(run.results().orders())).toList();
    var dates = new TreeSet<LocalDate>();
    daily.forEach(each -> dates.addAll(each.bps().keySet()));
    if (dates.isEmpty()) {
      return;
    }
    var lines = new ArrayList<Chart.Line>();
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < runs.size(); i++) {
      List<Double> sums = daily.get(i).cumulative(dates);
      String days = Format.count(daily.get(i).bps().size());
      lines.add(new Chart.Line(names.get(i), sums));
      rows.add(List.of(names.get(i), days, Format.bps(sums.getLast())));
    }
    sections.add(
        OrderSections.cumulative(
            "", dates, lines, new Block.Table(Column.named("Run", "Days", "Sum, bps"), rows)));
  }

  private void addValidation(List<Section> sections, List<String> names) {
    var iterations = new TreeSet<Integer>();
    runs.forEach(
        run -> run.learning().training().forEach(point -> iterations.add(point.iteration())));
    var lines = new ArrayList<Chart.Line>();
    var rows = new ArrayList<List<String>>();
    for (int i = 0; i < runs.size(); i++) {
      var values = new TreeMap<Integer, Double>();
      for (TrainingPoint point : runs.get(i).learning().training()) {
        if (!Double.isNaN(point.validationBps())) {
          values.put(point.iteration(), point.validationBps());
        }
      }
      if (!values.isEmpty()) {
        var last = values.lastEntry();
        lines.add(Chart.Line.of(names.get(i), iterations, values));
        rows.add(List.of(names.get(i), last.getKey().toString(), Format.bps(last.getValue())));
      }
    }
    if (!lines.isEmpty()) {
      sections.add(
          Section.of(
              "validation",
              "Validation",
              "The mean advantage on the orders held out, by iteration.",
              new Block.Figure(
                  "Validation advantage by iteration, in bps",
                  Chart.Lines.of(Chart.BPS, iterations.stream(), lines)),
              new Block.Table(Column.named("Run", "Last iteration", "Validation, bps"), rows)));
    }
  }
}
