package io.tranche.conformance.deviation;

import io.tranche.config.ConfigException;
import io.tranche.conformance.golden.ErrorKind;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A defect of Qlib that golden cases record and Tranche does not reproduce.
///
/// @param cases the names it applies to, whole
/// @param quirk its number in the register of quirks, or the section that describes it
/// @param sentence what Tranche does instead
public record Deviation(
    String topic, Pattern cases, String quirk, String sentence, Instead instead) {

  /// Every case where Tranche differs from the golden data, on purpose. Nothing else may differ.
  public static final List<Deviation> ALL =
      List.of(
          new Deviation(
              "config_parser",
              Pattern.compile("py_file"),
              "Q42",
              "a Python config is refused by name, never executed",
              new Refused(
                  ErrorKind.of(
                      ConfigException.class, "Python configs are never executed, was .py"))),
          new Deviation(
              "networks",
              Pattern.compile("ppo_default_parameters_inventory"),
              "7.3",
              "Adam has none of torch's variants, which Qlib leaves off; other first weights are drawn,"
                  + " from the same ranges",
              new Answered((_, testCase) -> SoundAnswers.plainAdamAndBounds(testCase))),
          new Deviation(
              "running_stats_and_gae",
              Pattern.compile("split_.*"),
              "7.12",
              "a short last minibatch is always merged, because Qlib never asks for less",
              new Answered((_, testCase) -> SoundAnswers.mergedChunks(testCase))),
          new Deviation(
              "data_features",
              Pattern.compile("provider_cache_ignores_columns"),
              "Q22",
              "each provider answers with its own columns",
              new Answered((_, testCase) -> SoundAnswers.ownColumns(testCase))),
          new Deviation(
              "data_orders",
              Pattern.compile("gen_orders_as_shipped"),
              "Q27",
              "the order script gives the intended orders instead of an IndexError",
              new Answered((_, testCase) -> SoundAnswers.ordersMeant(testCase))),
          new Deviation(
              "logger",
              Pattern.compile("backtest_current_step_state_bool_obs_crashes"),
              "Q5",
              "a truth value in an observation crashes nothing",
              new Answered((directory, _) -> SoundAnswers.allEpisodes(directory))),
          new Deviation(
              "qlib_backtest",
              Pattern.compile("volume_only_buy_given_sell_unlimited"),
              "Q29",
              "a limit for purchases does not bind sales",
              new Answered(OneSidedAnswers::unlimited)),
          new Deviation(
              "qlib_backtest",
              Pattern.compile("saoe_int_last_step_of_one_bar_fails"),
              "Q38",
              "a step of one bar is a step",
              new Answered((_, testCase) -> OneBarAnswers.backtest(testCase))),
          new Deviation(
              "qlib_simulator",
              Pattern.compile("one_bar_last_step_.*"),
              "Q38",
              "a step of one bar is a step",
              new Answered(OneBarAnswers::simulator)),
          new Deviation(
              "qlib_data",
              Pattern.compile("day_cumsum_two_windows_in_one_query_share_cache_.*"),
              "Q24",
              "each window of one field has its own sum",
              new Answered(SoundAnswers::ownWindows)),
          new Deviation(
              "trainer",
              Pattern.compile("resume_from_.*"),
              "Q21",
              "a resumed run restores early stopping and metrics, and continues past its old end",
              new Answered(SoundResumes::answer)),
          new Deviation(
              "trainer",
              Pattern.compile("weight_file_trainer_checkpoint_numpy_metrics"),
              "Q13",
              "a trainer's checkpoint is read whatever its metrics are",
              new Answered((_, _) -> SoundAnswers.equalWeights())));

  /// The required answer in place of the golden one.
  public sealed interface Instead {}

  /// A refusal by a named exception.
  public record Refused(ErrorKind kind) implements Instead {}

  /// This value, computed from the case independently of the topic.
  public record Answered(Computation computation) implements Instead {}

  /// Computes the sound answer to a case.
  @FunctionalInterface
  public interface Computation {

    /// @param directory the golden directory, for the files that cases refer to
    JsonNode expected(Path directory, JsonNode testCase);
  }

  public boolean appliesTo(String topicName, String caseName) {
    return topic.equals(topicName) && cases.matcher(caseName).matches();
  }
}
