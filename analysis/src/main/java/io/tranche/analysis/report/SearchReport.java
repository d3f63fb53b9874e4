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

/// What a search for better settings found.
///
/// @param metric what trials are compared by
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

  /// More would bury everything else; `leaderboard.csv` has all.
  private static final int ROWS = 50;

  /// @param isLogarithmic whether its values are drawn on such a scale
  public record Setting(String path, boolean isLogarithmic) {}

  /// @param name such as `trial 7`
  /// @param isBase whether it is the configuration as it was
  /// @param isComplete whether it had all its iterations
  /// @param state what became of it
  /// @param value the metric in the end; NaN if it failed
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
    sections.add(new Section("summary", "Summary", "", List.of(Panel.of("", facts()))));
    sections.add(
        new Section(
            "trials",
            "Trials",
            "The best first; those with fewer iterations come after those with more."
                + " The best of many looks better than it is, because it was also the luckiest:"
                + " hold it against the test orders before you trust it."
                + (trials.size() > ROWS ? " leaderboard.csv has all." : ""),
            List.of(Panel.of("", table()))));
    if (trials.stream().anyMatch(trial -> !trial.curve().isEmpty())) {
      sections.add(
          new Section(
              "curves",
              "Training",
              "The metric as trials went on. A line that ends was stopped there.",
              List.of(Panel.of("", new Block.Figure(metric + " by iteration", curves())))));
    }
    if (trials.stream().anyMatch(SearchReport::isKnown)) {
      sections.add(
          new Section(
              "settings",
              "Settings",
              "What trials came to by each setting. Hollow dots were stopped before the end, so they"
                  + " are not to be held against the others; the coloured ones are the best and the"
                  + " configuration as it is.",
              panels()));
    }
    sections.add(
        new Section(
            "stops",
            "Where trials ended",
            "How many trials ended after how many iterations, and why.",
            List.of(Panel.of("", stops()))));
    List<String> failures =
        trials.stream()
            .filter(trial -> !trial.reason().isEmpty())
            .limit(ROWS)
            .map(trial -> "%s: %s".formatted(trial.name(), trial.reason()))
            .toList();
    if (!failures.isEmpty()) {
      sections.add(
          new Section(
              "failures", "Failures", "", List.of(Panel.of("", new Block.Items(failures)))));
    }
    sections.add(
        new Section(
            "provenance",
            "Provenance",
            "",
            List.of(Panel.of("", new Block.Source("Configuration of the search", config)))));
    return new Page(title, description, null, sections);
  }

  private static boolean isKnown(Trial trial) {
    return Double.isFinite(trial.value());
  }

  private @Nullable Trial best() {
    return trials.stream().filter(SearchReport::isKnown).findFirst().orElse(null);
  }

  private @Nullable Trial base() {
    return trials.stream().filter(Trial::isBase).findFirst().orElse(null);
  }

  private Block facts() {
    var facts = new ArrayList<Fact>();
    Trial best = best();
    Trial base = base();
    if (best != null) {
      facts.add(new Fact("Best " + metric, Format.decimal(best.value()), best.name()));
      if (base != null && isKnown(base)) {
        facts.add(
            new Fact(
                "Over the configuration as it is",
                Format.decimal(best.value() - base.value()),
                "which had " + Format.decimal(base.value())));
      }
    }
    long iterations = trials.stream().mapToLong(Trial::iterations).sum();
    long most = trials.stream().mapToLong(Trial::iterations).max().orElse(0);
    facts.add(
        new Fact(
            "Iterations",
            Format.count(iterations),
            "of %s if all trials had gone to the end"
                .formatted(Format.count(most * trials.size()))));
    facts.add(
        new Fact(
            "Trials",
            Format.count(trials.size()),
            "%s completed"
                .formatted(Format.count(trials.stream().filter(Trial::isComplete).count()))));
    return new Block.Facts(facts);
  }

  private Block table() {
    var columns = new ArrayList<Column>();
    columns.add(new Column("Trial", false));
    columns.add(new Column(metric, true));
    columns.add(new Column("Iterations", true));
    columns.add(new Column("Became", false));
    settings.forEach(setting -> columns.add(new Column(shortName(setting), true)));
    var rows = new ArrayList<List<String>>();
    for (Trial trial : trials.subList(0, Math.min(ROWS, trials.size()))) {
      var row = new ArrayList<String>();
      row.add(trial.name());
      row.add(Format.decimal(trial.value()));
      row.add(Format.count(trial.iterations()));
      row.add(trial.state());
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
        curves.add(
            new Chart.Curve(
                trial.name(),
                standsOut(trial),
                iterations.stream()
                    .map(at -> trial.curve().getOrDefault(at, Double.NaN))
                    .toList()));
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
      dots.add(
          new Chart.Dot(
              trial.name(),
              areNumbers ? number(texts.get(i)) : words.indexOf(texts.get(i)),
              trial.value(),
              trial.isComplete(),
              standsOut(trial)));
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
