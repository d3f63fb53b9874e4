package io.tranche.benchmarks.real;

import java.util.List;

/// One change of the recipe.
///
/// @param name of its folder
/// @param meaning in the table
/// @param assignments as after `--set`
/// @param seeds how many seeds act together
record Switch(String name, String meaning, List<String> assignments, int seeds) {

  /// Stands for the weights that the recipe's own walk chose in its first window.
  static final String WEIGHTS = "WEIGHTS";

  /// Stands for one instrument.
  static final String ONE = "ONE";

  static final Switch NONE = new Switch("recipe", "the recipe as it is", List.of(), 1);

  /// What is tried besides the recipe, the most promising first. Values are those that papers and
  /// other systems begin with; none was fitted to a file.
  static final List<Switch> ALL =
      List.of(
          new Switch(
              "shares",
              "five shares instead of rates (`CategoricalInterpreter`)",
              List.of(
                  "action_interpreter={class: CategoricalInterpreter, kwargs: {shares: 4}}",
                  "policy={kwargs: {learning_rate: 0.001, entropy_weight: 0.01}}")),
          new Switch(
              "market", "with the market's moves (`data.neutral: false`)", "data.neutral=false"),
          new Switch(
              "leaving",
              "a price of 1 bps for leaving TWAP (`leaving_bps`)",
              "reward={kwargs: {scale: 0.01, leaving_bps: 1}}"),
          new Switch(
              "decay",
              "weight decay of 0.001 (`weight_decay`)",
              "policy.kwargs.weight_decay=0.001"),
          new Switch(
              "entropy",
              "three times the entropy (`entropy_weight: 0.003`)",
              "policy.kwargs.entropy_weight=0.003"),
          new Switch("beta", "a Beta distribution (`head: beta`)", "policy.kwargs.head=beta"),
          new Switch(
              "dropout",
              "a tenth dropped (`Layers` with `dropout`)",
              "network={class: Layers, kwargs: {hidden: 32, output: 16, layers: [{dense: 32}, relu,"
                  + " {dropout: 0.1}, {gru: 32}]}}"),
          new Switch("ensemble", "three seeds, their scores averaged (`--seeds 3`)", List.of(), 3),
          new Switch(
              "bagging",
              "three seeds, each with other bootstrapped days",
              List.of("augmentation.bootstrap=true"),
              3),
          new Switch(
              "bootstrap",
              "bootstrapped days (`augmentation.bootstrap`)",
              "augmentation.bootstrap=true"),
          new Switch("scale", "scaled days (`augmentation.scale: 0.3`)", "augmentation.scale=0.3"),
          new Switch(
              "noise", "noise in features (`augmentation.noise: 0.1`)", "augmentation.noise=0.1"),
          new Switch(
              "jitter",
              "windows moved by up to an hour (`augmentation.jitter_minutes: 60`)",
              "augmentation.jitter_minutes=60"),
          new Switch(
              "sides",
              "without mirrored sides (`both_sides`, `mirror`)",
              List.of("data.both_sides=false", "state_interpreter={kwargs: {mirror: false}}")),
          new Switch(
              "forecast",
              "five epochs of forecasting first (`pretrain_epochs: 5`)",
              "trainer.pretrain_epochs=5"),
          new Switch(
              "stopping",
              "early stopping by lower bounds (`patience: 1`)",
              "validation.patience=1"),
          new Switch(
              "mean",
              "validations compared by their means (`monitor: val/pa`)",
              "validation.monitor=val/pa"),
          new Switch(
              "tuned",
              "fine-tuned for one instrument, on its orders alone (`weight_file`, `freeze`)",
              List.of(
                  "data.instruments=['" + ONE + "']",
                  "trainer.freeze=[actor.extractor.]",
                  "policy.kwargs.weight_file='" + WEIGHTS + "'")),
          new Switch(
              "volatility",
              "more features: volatility and the volume profile",
              "data.features={providers: [price_moves, relative_volume, time_of_day,"
                  + " realised_volatility, volume_profile]}"),
          new Switch(
              "small",
              "a network a quarter as wide (`hidden: 8`)",
              "network={class: RecurrentNetwork, kwargs: {hidden: 8, output: 8}}"),
          new Switch(
              "large",
              "a network four times as wide (`hidden: 128`)",
              "network={class: RecurrentNetwork, kwargs: {hidden: 128, output: 64}}"),
          new Switch(
              "often",
              "a decision every 15 minutes (`minutes_per_step: 15`)",
              "simulator={kwargs: {minutes_per_step: 15}}"),
          new Switch(
              "seldom",
              "a decision every hour (`minutes_per_step: 60`)",
              "simulator={kwargs: {minutes_per_step: 60}}"),
          new Switch(
              "slow",
              "a tenth of the learning rate (`learning_rate: 0.0002`)",
              "policy.kwargs.learning_rate=0.0002"),
          new Switch(
              "volume",
              "the volume that is still to come, from the learned curve (`volume_ahead`)",
              "data.features={providers: [price_moves, relative_volume, time_of_day,"
                  + " volume_ahead]}"));

  Switch {
    assignments = List.copyOf(assignments);
  }

  Switch(String name, String meaning, List<String> assignments) {
    this(name, meaning, assignments, 1);
  }

  Switch(String name, String meaning, String assignment) {
    this(name, meaning, List.of(assignment));
  }

  /// Whether it is judged on the same orders as the recipe.
  boolean isComparable() {
    return assignments.stream()
        .noneMatch(each -> each.contains(ONE) || each.contains("both_sides"));
  }
}
