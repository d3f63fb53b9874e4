package io.tranche.work.tuning;

import java.util.List;
import java.util.stream.Collectors;

/// A configuration to try: the base with some settings replaced.
///
/// @param number from 1, in the order of drawing; [#BASE] is the unchanged base
public record Trial(int number, List<Setting> settings) {

  /// The number of the unchanged base, which the others are compared with.
  public static final int BASE = 0;

  public Trial {
    settings = List.copyOf(settings);
  }

  /// Returns its settings in readable form.
  public String description() {
    return number == BASE
        ? "the configuration as it is"
        : settings.stream().map(Setting::assignment).collect(Collectors.joining(" "));
  }
}
