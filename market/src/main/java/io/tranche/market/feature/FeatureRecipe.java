package io.tranche.market.feature;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.DayFrame;
import java.io.DataInput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;

/// How features are made of bars, whole: with it, whoever has the bars has the features that a
/// policy was trained on. Immutable.
public sealed interface FeatureRecipe permits GivenFeatures, ProvidedFeatures, PipelineFeatures {

  /// The key that says which recipe a configuration is.
  String KIND = "kind";

  /// Reads what [#toConfig] writes: `kind: given`, `computed` or `pipeline`, and what belongs to
  /// it.
  ///
  /// @throws ConfigException if something is missing, unknown or not installed
  static FeatureRecipe from(ConfigNode node) {
    ConfigNode kind = node.required(KIND);
    return switch (kind.asText()) {
      case GivenFeatures.KIND -> GivenFeatures.from(node);
      case ProvidedFeatures.KIND -> ProvidedFeatures.from(node);
      case PipelineFeatures.KIND -> PipelineFeatures.from(node);
      default -> throw kind.wrong("given, computed or pipeline");
    };
  }

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
