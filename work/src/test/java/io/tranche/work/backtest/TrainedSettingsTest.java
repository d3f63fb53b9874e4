package io.tranche.work.backtest;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainedSettingsTest {

  private static final ConfigNode TRAINED =
      ConfigFiles.parse(
          "config.yml",
          """
          state_interpreter:
            class: FullHistoryStateInterpreter
            kwargs:
              max_step: 8
              data_ticks: 48
              data_dim: 2
              processed_data_provider:
                class: HandlerProcessedDataProvider
                kwargs:
                  data_dir: train/
                  feature_columns_today: [$close, $volume]
                  feature_columns_yesterday: [$close_1, $volume_1]
            module_path: qlib.rl.order_execution.interpreter
          action_interpreter: {class: CategoricalActionInterpreter, kwargs: {values: 4, max_step: 8}}
          network: {class: Recurrent, kwargs: {hidden_dim: 64}}
          policy: {class: PPO, kwargs: {lr: 1.0e-4}}
          reward: {class: PAPenaltyReward, kwargs: {penalty: 100}}
          simulator: {time_per_step: 30, vol_limit: null}
          env: {concurrency: 1, parallel_mode: dummy}
          data:
            source:
              order_dir: orders/
              feature_root_dir: features/
              feature_columns_today: [$close0, $volume0]
              feature_columns_yesterday: []
              default_start_time_index: 0
              default_end_time_index: 240
          trainer: {max_epoch: 1, episode_per_collect: 1, batch_size: 1, repeat_per_collect: 1}
          """);

  private static void compare(ConfigNode here, ConfigNode trained) {
    ConfigNode strategy =
        ConfigFiles.parse("backtest.yml", "class: SAOEIntStrategy").with("kwargs", here);
    TrainedSettings.compare(
        Objects.requireNonNull(PolicyLevel.from("1day", strategy, 1)),
        ExecutionRun.readTrained(trained, _ -> {}),
        "a.ckpt");
  }

  @Test
  void placesAndSpelledOutDefaultsAreNoDifference() {
    ConfigNode here =
        TRAINED
            .with("state_interpreter.kwargs.processed_data_provider.kwargs.data_dir=test/")
            .with("state_interpreter.module_path=qlib.rl.order_execution")
            .with("network={class: Recurrent, module_path: x}");

    assertThatCode(() -> compare(here, TRAINED)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "action_interpreter.kwargs.values=5 | values: trained with 4, here 5",
        "action_interpreter.kwargs.values=[0, 0.5, 1, 1, 1] | trained with 4, here [0, 0.5, 1, 1, 1]",
        "action_interpreter.kwargs.max_step=null | max_step: trained with 8, here nothing",
        "action_interpreter.kwargs.more=1 | more: trained with nothing, here 1",
        "network.kwargs.rnn_type=lstm | rnn_type: trained with gru, here lstm",
        "state_interpreter.class=Other | class: trained with FullHistoryStateInterpreter, here Other",
        "state_interpreter.kwargs.processed_data_provider.kwargs.feature_columns_today=[$volume, $close] |"
            + " trained with [$close, $volume], here [$volume, $close]"
      })
  void aDifferenceIsNamed(String assignment, String message) {
    assertThatThrownBy(() -> compare(TRAINED.with(assignment), TRAINED))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("what a.ckpt was trained with")
        .hasMessageContaining(message);
  }

  @Test
  void theMessageIsDocumented() {
    String symptom = "was something else (network.kwargs.rnn_type: trained with gru, here lstm)";

    assertThatThrownBy(() -> compare(TRAINED.with("network.kwargs.rnn_type=lstm"), TRAINED))
        .hasMessageContaining(symptom);
    assertDocumented(symptom);
  }

  @Test
  void ofOurOwnDialectOnlyWhatItSaysIsCompared() {
    ConfigNode trained = ConfigFiles.parse("config.yml", "tranche: 1\ndata: {market: {}}");
    ConfigNode here =
        ExecutionRun.read(trained, _ -> {})
            .toConfig()
            .with("action_interpreter.kwargs.max_steps=8");

    assertThatCode(() -> compare(here, trained)).doesNotThrowAnyException();
    assertThatThrownBy(() -> compare(here.with("action_interpreter.kwargs.shares=5"), trained))
        .hasMessageContaining("shares: trained with 4, here 5");
  }
}
