package io.tranche.benchmarks.real;

import java.util.List;

/// One change of the recipe.
///
/// @param name of its folder
/// @param meaning in the table
/// @param assignments as after `--set`
record Switch(String name, String meaning, List<String> assignments) {

  static final Switch NONE = new Switch("recipe", "the recipe as it is", List.of());

  /// What is tried besides the recipe, the most promising first. Values are those that papers and
  /// other systems begin with; none was fitted to a file.
  static final List<Switch> ALL =
      List.of(
          new Switch(
              "market", "with the market's moves (`data.neutral: false`)", "data.neutral=false"),
          new Switch(
              "leaving",
              "a price of 1 bps for leaving TWAP (`leaving_bps`)",
              "reward={kwargs: {scale: 0.01, leaving_bps: 1}}"),
          new Switch(
              "decay",
              "weight decay of 0.001 (`weight_decay`)",
              "policy={kwargs: {learning_rate: 0.001, entropy_weight: 0.01, weight_decay: 0.001}}"),
          new Switch(
              "entropy",
              "three times the entropy (`entropy_weight: 0.03`)",
              "policy={kwargs: {learning_rate: 0.001, entropy_weight: 0.03}}"),
          new Switch(
              "dropout",
              "a tenth dropped (`Layers` with `dropout`)",
              "network={class: Layers, kwargs: {hidden: 32, output: 16, layers: [{dense: 32}, relu,"
                  + " {dropout: 0.1}, {gru: 32}]}}"),
          new Switch(
              "volatility",
              "more features: volatility and the volume profile",
              "data.features={providers: [price_moves, relative_volume, time_of_day,"
                  + " realised_volatility, volume_profile]}"));

  Switch {
    assignments = List.copyOf(assignments);
  }

  Switch(String name, String meaning, String assignment) {
    this(name, meaning, List.of(assignment));
  }
}
