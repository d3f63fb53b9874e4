package io.tranche.analysis.report;

import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The result of a search for better settings.
///
/// @param metric the metric that trials are compared by
/// @param settings the dotted paths that were searched
/// @param trials the best first; failed ones last
/// @param config the search's own configuration
public record SearchReport(
    String title,
    String description,
    String metric,
    List<Setting> settings,
    List<Trial> trials,
    String config) {

  /// More would bury everything else; `leaderboard.csv` has all trials.
  private static final int ROWS = 50;

  /// @param isLogarithmic whether its values are drawn on a logarithmic scale
  public record Setting(String path, boolean isLogarithmic) {}

  /// @param name such as `trial 7`
  /// @param isBase whether it is the configuration without changes
  /// @param isComplete whether it had all its iterations
  /// @param state in words
  /// @param value the last value of the metric; NaN if it failed
  /// @param values its settings
  /// @param curve the metric by iteration
  /// @param reason why it failed; empty if it did not
  public record Trial(
      String name,
      boolean isBase,
      boolean isComplete,
      String state,
      int iterations,
      double value,
      List<String> values,
      Map<Integer, Double> curve,
      String reason) {

    public Trial {
      values = List.copyOf(values);
      curve = Collections.unmodifiableMap(new TreeMap<>(curve));
    }
  }

  public SearchReport {
    settings = List.copyOf(settings);
    trials = List.copyOf(trials);
  }

  Page page() {
    var sections = new ArrayList<Section>();
    sections.add(Section.of("summary", "Summary", "", facts()));
    sections.add(
        Section.of(
            "trials",
            "Trials",
            "The best first; trials with fewer iterations come after those with more."
                + " The best of many looks better than it is, because it was also the luckiest:"
                + " check it on the test orders before you trust it."
                + (trials.size() > ROWS ? " leaderboard.csv has all trials." : ""),
            table()));
    if (trials.stream().anyMatch(trial -> !trial.curve().isEmpty())) {
      sections.add(
          Section.of(
              "curves",
              "Training",
              "The metric by iteration. A line ends where its trial was stopped.",
              new Block.Figure(metric + " by iteration", curves())));
    }
    if (trials.stream().anyMatch(SearchReport::isKnown)) {
      sections.add(
          new Section(
              "settings",
              "Settings",
              "The metric of each trial by setting. Hollow dots were stopped early, so they cannot be"
                  + " compared with the others; the coloured dots are the best trial and the"
                  + " configuration as it is.",
              panels()));
    }
    String ends = "How many trials ended after how many iterations, and why.";
    sections.add(Section.of("stops", "Where trials ended", ends, stops()));
    List<String> failures =
        trials.stream()
            .filter(trial -> !trial.reason().isEmpty())
            .limit(ROWS)
            .map(trial -> trial.name() + ": " + trial.reason())
            .toList();
    if (!failures.isEmpty()) {
      sections.add(Section.of("failures", "Failures", "", new Block.Items(failures)));
    }
    var source = new Block.Source("Configuration of the search", config);
    sections.add(Section.of("provenance", "Provenance", "", source));
    return new Page(title, description, null, sections);
  }

  private static boolean isKnown(Trial trial) {
    return Double.isFinite(trial.value());
  }

  private @Nullable Trial best() {
    return trials.stream().filter(SearchReport::isKnown).findFirst().orElse(null);
  }

  private Block facts() {
    var facts = new ArrayList<Fact>();
    Trial best = best();
    if (best != null) {
      facts.add(new Fact("Best " + metric, Format.decimal(best.value()), best.name()));
      trials.stream()
          .filter(trial -> trial.isBase() && isKnown(trial))
          .mapToDouble(Trial::value)
          .findFirst()
          .ifPresent(
              base -> {
                String gain = Format.decimal(best.value() - base);
                String had = "which had " + Format.decimal(base);
                facts.add(new Fact("Over the configuration as it is", gain, had));
              });
    }
    var iterations = trials.stream().mapToLong(Trial::iterations).summaryStatistics();
    long all = trials.isEmpty() ? 0 : iterations.getMax() * trials.size();
    String end = "of %s if all trials had gone to the end".formatted(Format.count(all));
    facts.add(new Fact("Iterations", Format.count(iterations.getSum()), end));
    String completed = Format.count(trials.stream().filter(Trial::isComplete).count());
    facts.add(new Fact("Trials", Format.count(trials.size()), completed + " completed"));
    return new Block.Facts(facts);
  }

  private Block table() {
    var columns = new ArrayList<>(Column.named("Trial", metric, "Iterations"));
    columns.add(new Column("State", false));
    settings.forEach(setting -> columns.add(new Column(shortName(setting), true)));
    var rows = new ArrayList<List<String>>();
    for (Trial trial : trials.subList(0, Math.min(ROWS, trials.size()))) {
      String value = Format.decimal(trial.value());
      String iterations = Format.count(trial.iterations());
      var row = new ArrayList<>(List.of(trial.name(), value, iterations, trial.state()));
      row.addAll(trial.values());
      rows.add(row);
    }
    return new Block.Table(columns, rows);
  }

  /// The last word of a path, where no other setting ends with it.
  private String shortName(Setting setting) {
    String word = lastWord(setting);
    return settings.stream().filter(each -> lastWord(each).equals(word)).count() == 1
        ? word
        : setting.path();
  }

  private static String lastWord(Setting setting) {
    return setting.path().substring(setting.path().lastIndexOf('.') + 1);
  }

  private boolean standsOut(Trial trial) {
    return trial.isBase() || trial.equals(best());
  }

  private Chart curves() {
    var iterations = new TreeSet<Integer>();
    trials.forEach(trial -> iterations.addAll(trial.curve().keySet()));
    var curves = new ArrayList<Chart.Curve>();
    for (Trial trial : trials) {
      if (!trial.curve().isEmpty()) {
        var line = Chart.Line.of(trial.name(), iterations, trial.curve());
        curves.add(new Chart.Curve(standsOut(trial), line));
      }
    }
    return new Chart.Curves(metric, List.copyOf(iterations), curves);
  }

  /// Two settings side by side.
  private List<Panel> panels() {
    var panels = new ArrayList<Panel>();
    for (int i = 0; i < settings.size(); i += 2) {
      var blocks = new ArrayList<Block>();
      for (int j = i; j < Math.min(i + 2, settings.size()); j++) {
        blocks.add(new Block.Figure("%s by %s".formatted(metric, settings.get(j).path()), dots(j)));
      }
      panels.add(new Panel("", blocks));
    }
    return panels;
  }

  private Chart dots(int setting) {
    List<Trial> known =
        trials.stream()
            .filter(SearchReport::isKnown)
            .filter(trial -> !trial.values().get(setting).isEmpty())
            .toList();
    List<String> texts = known.stream().map(trial -> trial.values().get(setting)).toList();
    boolean areNumbers = texts.stream().allMatch(text -> Double.isFinite(number(text)));
    List<String> words = areNumbers ? List.of() : texts.stream().distinct().sorted().toList();
    var dots = new ArrayList<Chart.Dot>();
    for (int i = 0; i < known.size(); i++) {
      Trial trial = known.get(i);
      double x = areNumbers ? number(texts.get(i)) : words.indexOf(texts.get(i));
      dots.add(new Chart.Dot(trial.name(), x, trial.value(), trial.isComplete(), standsOut(trial)));
    }
    Setting searched = settings.get(setting);
    boolean isLogarithmic = searched.isLogarithmic() && dots.stream().allMatch(dot -> dot.x() > 0);
    return new Chart.Dots(searched.path(), metric, isLogarithmic, words, dots);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  private Block stops() {
    var states = new TreeSet<String>();
    var counts = new TreeMap<Integer, Map<String, Integer>>();
    for (Trial trial : trials) {
      states.add(trial.state());
      counts
          .computeIfAbsent(trial.iterations(), _ -> new LinkedHashMap<>())
          .merge(trial.state(), 1, Integer::sum);
    }
    var rows = new ArrayList<List<String>>();
    counts.forEach(
        (iterations, by) -> {
          var row = new ArrayList<String>();
          row.add(Format.count(iterations));
          states.forEach(state -> row.add(Format.count(by.getOrDefault(state, 0))));
          rows.add(row);
        });
    return new Block.Table(Column.named("Iterations", states.toArray(String[]::new)), rows);
  }
}
