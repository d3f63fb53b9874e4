package io.tranche.benchmarks.real;

import java.util.List;

/// One change of the recipe.
///
/// @param name of its folder
/// @param meaning in the table
/// @param assignments as after `--set`
record Switch(String name, String meaning, List<String> assignments) {

  private static final String RATES =
      "action_interpreter={class: TwapRelativeInterpreter, kwargs: {max_rate: 8}}";

  /// As docs/continuous.md has it.
  private static final String LEARNING =
      "policy={kwargs: {learning_rate: 0.002, entropy_weight: 0.001}}";

  private static final String LEAVING = "reward={kwargs: {scale: 0.01, leaving_bps: 1}}";

  static final Switch NONE = new Switch("recipe", "the recipe as it is", List.of());

  /// What is tried besides the recipe, the most promising first. Values are those that papers and
  /// other systems begin with; none was fitted to a file.
  static final List<Switch> ALL =
      List.of(
          new Switch(
              "rates",
              "rates that begin at TWAP instead of five shares (`TwapRelativeInterpreter`)",
              List.of(RATES, LEARNING)),
          new Switch(
              "rates-leaving",
              "rates, and a price of 1 bps for leaving TWAP (`leaving_bps`)",
              List.of(RATES, LEARNING, LEAVING)),
          new Switch(
              "rates-market",
              "rates, with the market's moves (`data.neutral: false`)",
              List.of(RATES, LEARNING, "data.neutral=false")),
          new Switch(
              "market", "with the market's moves (`data.neutral: false`)", "data.neutral=false"),
          new Switch("leaving", "a price of 1 bps for leaving TWAP (`leaving_bps`)", LEAVING),
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
