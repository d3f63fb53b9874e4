package io.tranche.work.tuning;

import java.util.List;
import java.util.stream.Collectors;

/// A configuration that is tried: the base with other settings.
///
/// @param number from 1 on in the order they were drawn; [#BASE] is the base as it is
public record Trial(int number, List<Setting> settings) {

  /// The number of the yardstick: the base without a change.
  public static final int BASE = 0;

  public Trial {
    settings = List.copyOf(settings);
  }

  /// Returns its settings for people.
  public String description() {
    return number == BASE
        ? "the configuration as it is"
        : settings.stream().map(Setting::assignment).collect(Collectors.joining(" "));
  }
}
