package io.tranche.market.feature;

import io.tranche.config.ConfigNode;
import io.tranche.market.DayFrame;
import java.io.DataInput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;

/// How features are computed from bars. It is complete: with it and the bars, anyone gets the
/// features that a policy was trained on. Immutable.
public interface FeatureRecipe {

  /// The key that says which recipe a configuration is.
  String KIND = "kind";

  /// Returns this as configuration, in which no number loses a digit.
  ConfigNode toConfig();

  FeatureColumns columns();

  /// Returns the fields that a bar brings, in the order in which [LiveFeatures#append] takes them:
  /// without dollar sign, in lower case.
  List<String> fields();

  /// Returns how many earlier days it wants to see; with fewer it does what a batch does where the
  /// data begin.
  int earlierDays();

  /// Begins a day.
  ///
  /// @param times the [io.tranche.market.BarTime] of every tick of the day
  /// @param earlier the days before, oldest first, with at least [#fields]
  /// @throws io.tranche.market.DataException if an earlier day lacks a field
  LiveFeatures open(String instrument, LocalDate date, long[] times, List<DayFrame> earlier);

  /// Goes on with a day that [LiveFeatures#save] wrote.
  ///
  /// @throws IOException if there is something else, or less
  LiveFeatures restore(DataInput in) throws IOException;
}
