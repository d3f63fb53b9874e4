package io.tranche.work.tuning;

import io.tranche.config.ConfigNode;
import io.tranche.env.RandomTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The settings that are searched, each with its possible values.
record SearchSpace(List<Dimension> dimensions) {

  /// How many trials one search may have.
  static final int MOST = 10_000;

  /// How often a trial is redrawn because an earlier one is the same. Narrow ranges may leave no
  /// other, so there is a limit.
  private static final int ATTEMPTS = 10_000;

  SearchSpace {
    dimensions = List.copyOf(dimensions);
  }

  /// @param node dotted paths with their values or ranges
  static SearchSpace from(ConfigNode node) {
    if (node.keys().isEmpty()) {
      throw node.wrong("settings to search");
    }
    for (String path : node.keys()) {
      for (String other : node.keys()) {
        if (path.startsWith(other + ".")) {
          throw node.required(path).wrong("a setting that is not a part of " + other);
        }
      }
    }
    return new SearchSpace(
        node.keys().stream().map(path -> Dimension.from(path, node.required(path))).toList());
  }

  /// Whether a section of the configuration, such as `data`, is searched.
  boolean concerns(String section) {
    return dimensions.stream()
        .anyMatch(each -> each.path().equals(section) || each.path().startsWith(section + "."));
  }

  /// Returns the dimension whose values cannot be counted, or null if there is none.
  @Nullable Dimension uncountable() {
    return dimensions.stream().filter(each -> each.values() == null).findFirst().orElse(null);
  }

  /// Returns how many trials there can be, or a number above [#MOST] if there are more than that.
  long size() {
    long size = 1;
    for (Dimension each : dimensions) {
      List<String> values = each.values();
      size = values == null || size > MOST ? MOST + 1L : size * values.size();
    }
    return size;
  }

  /// Returns every combination; the last setting changes fastest.
  List<Trial> grid() {
    List<List<Setting>> combinations = List.of(List.of());
    for (Dimension each : dimensions) {
      List<String> values = each.values();
      if (values == null) {
        throw new IllegalStateException(
            "values must be countable, was the range of " + each.path());
      }
      var longer = new ArrayList<List<Setting>>();
      for (List<Setting> begun : combinations) {
        for (String value : values) {
          var settings = new ArrayList<>(begun);
          settings.add(new Setting(each.path(), value));
          longer.add(settings);
        }
      }
      combinations = longer;
    }
    var trials = new ArrayList<Trial>();
    combinations.forEach(settings -> trials.add(new Trial(trials.size() + 1, settings)));
    return trials;
  }

  /// Draws different trials. A trial depends on its number, but not on how many are drawn.
  List<Trial> random(int count, long seed) {
    var trials = new ArrayList<Trial>();
    var drawn = new HashSet<List<Setting>>();
    for (int number = 1; number <= count; number++) {
      List<Setting> settings = draw(seed, number, 0);
      for (int attempt = 1; attempt < ATTEMPTS && drawn.contains(settings); attempt++) {
        settings = draw(seed, number, attempt);
      }
      drawn.add(settings);
      trials.add(new Trial(number, settings));
    }
    return trials;
  }

  /// Each setting has its own random branch, so adding a setting to the space does not change the
  /// others.
  private List<Setting> draw(long seed, int number, int attempt) {
    return dimensions.stream()
        .map(
            each -> {
              long key = RandomTree.key(seed, "tune " + each.path(), number, attempt);
              return new Setting(each.path(), each.at(RandomTree.uniform(key)));
            })
        .toList();
  }
}
