package io.tranche.market.feature;

import io.tranche.config.ConfigNode;
import io.tranche.market.DayFrame;
import java.io.DataInput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;

/// How features are computed from bars. It is complete: the recipe and the bars give exactly the
/// features that a policy was trained on. Immutable.
public interface FeatureRecipe {

  String KIND = "kind";

  /// Returns this as a configuration that keeps every digit of its numbers.
  ConfigNode toConfig();

  FeatureColumns columns();

  /// Returns the fields of a bar in the order of [LiveFeatures#append], without dollar sign, in
  /// lower case.
  List<String> fields();

  /// Returns how many earlier days it needs; with fewer, it computes what a batch computes at the
  /// start of the data.
  int earlierDays();

  /// Begins a day.
  ///
  /// @param times the [io.tranche.market.BarTime] of every tick of the day
  /// @param plannedTicks of a whole day: see [io.tranche.market.Calendar#plannedTicks]
  /// @param earlier the days before, oldest first, with at least [#fields]
  /// @throws io.tranche.market.DataException if an earlier day lacks a field
  LiveFeatures open(
      String instrument, LocalDate date, long[] times, int plannedTicks, List<DayFrame> earlier);

  /// Continues a day that [LiveFeatures#save] wrote.
  ///
  /// @throws IOException if the input is something else or too short
  LiveFeatures restore(DataInput in) throws IOException;
}
