package io.tranche.conformance.deviation;

import io.tranche.backtest.run.InstrumentResult.FailedOrder;
import io.tranche.config.ConfigException;
import io.tranche.conformance.golden.ErrorKind;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import java.util.List;
import java.util.regex.Pattern;

/// How Tranche must refuse what Qlib refuses. Error types differ between the languages, so each
/// error that golden cases record has a row that names its counterpart.
///
/// @param cases the names it applies to, whole
/// @param qlib the type of Qlib's error
/// @param kind what ours is
public record ExpectedError(String topic, Pattern cases, String qlib, ErrorKind kind) {

  public static final List<ExpectedError> ALL =
      List.of(
          of(
              "config_parser",
              "exchange_missing",
              "KeyError",
              ConfigException.class,
              "exchange: expected a value, was missing"),
          of(
              "config_parser",
              "exchange_null",
              "AttributeError",
              ConfigException.class,
              "exchange: expected a mapping, was null"),
          of(
              "config_parser",
              "dict_over_scalar_fails",
              "AttributeError",
              ConfigException.class,
              "x: expected a mapping, because"),
          of(
              "config_parser",
              "missing_file",
              "FileNotFoundError",
              ConfigException.class,
              "expected a file, was missing"),
          of(
              "config_parser",
              "wrong_suffix",
              "OSError",
              ConfigException.class,
              "expected a .yml, .yaml or .json file"),
          of(
              "config_parser",
              "empty_file",
              "TypeError",
              ConfigException.class,
              "expected a mapping, was null"),
          of(
              "data_features",
              "pipeline_day48_from_first_bar",
              "ValueError",
              DataException.class,
              "expected instruments with bars for all that time"),
          of(
              "data_features",
              "missing_stock_file",
              "FileNotFoundError",
              DataException.class,
              "expected bars of"),
          of(
              "data_features",
              "missing_column",
              "KeyError",
              DataException.class,
              "expected a column of"),
          of(
              "data_orders",
              "load_orders_bad_direction",
              "ValueError",
              DataException.class,
              "expected 0 (sell) or 1 (buy) in order_type"),
          of(
              "data_orders",
              "read_order_unknown_suffix",
              "TypeError",
              DataException.class,
              "expected an order file .pkl or .csv"),
          of(
              "data_orders",
              "lazy_dataset_0_49",
              "IndexError",
              DataException.class,
              "expected at least 49 ticks, was 48"),
          of(
              "data_orders",
              "pickle_column_names_4",
              "ValueError",
              ConfigException.class,
              "feature_dim: expected 5, 6 or 16, was 4"),
          of(
              "data_orders",
              "pickle_new_format_(wrong_dim|fewer_rows)",
              "AssertionError",
              DataException.class,
              " columns on 2021-03-02, was "),
          of(
              "data_orders",
              "pickle_backtest_bid_or_ask(_fill)?_None",
              "ValueError",
              ConfigException.class,
              "order_dir: expected a side"),
          of(
              "data_orders",
              "pickle_backtest_vwap_(0|1|None)",
              "ValueError",
              ConfigException.class,
              "deal_price: expected one of close, bid_or_ask, bid_or_ask_fill"),
          of(
              "data_orders",
              "pickle_two_files_with_same_prefix",
              "ValueError",
              DataException.class,
              "was both"),
          of(
              "data_orders",
              "pickle_no_file",
              "FileNotFoundError",
              DataException.class,
              "was neither"),
          of(
              "data_queue",
              "iterate_before_activate",
              "ValueError",
              IllegalStateException.class,
              "must be activated before items are taken"),
          of(
              "data_queue",
              "activate_twice",
              "ValueError",
              IllegalStateException.class,
              "must not be activated twice"),
          of(
              "dqn",
              "reward_normalization_unsupported",
              "AssertionError",
              ConfigException.class,
              "kwargs.reward_normalization: expected false"),
          of(
              "logger",
              "collector_without_reset",
              "AttributeError",
              IllegalStateException.class,
              "the log must be cleared before"),
          of(
              "logger",
              "aggregation_empty",
              "AssertionError",
              IllegalArgumentException.class,
              "values to aggregate must not be empty"),
          of(
              "logger",
              "step_without_reset",
              "KeyError",
              IllegalStateException.class,
              "env must be reset before it steps"),
          of(
              "ppo",
              "constructor_value_clip_needs_reward_norm",
              "AssertionError",
              ConfigException.class,
              "kwargs.value_clip: expected value_clip only together with reward_normalization"),
          of(
              "ppo",
              "constructor_action_space_must_be_discrete",
              "AssertionError",
              ConfigException.class,
              "expected an action interpreter whose actions are discrete"),
          of(
              "qlib_backtest",
              "zero_amount_order",
              "AssertionError",
              FailedOrder.class,
              "expected a positive amount"),
          of(
              "qlib_backtest",
              "volume_unknown_kind",
              "ValueError",
              ConfigException.class,
              "exchange.volume_threshold: expected a pair of current or cum"),
          of(
              "qlib_backtest",
              "window_lunch_only",
              "ValueError",
              FailedOrder.class,
              "expected a price within the trading window to compare with"),
          of(
              "qlib_backtest",
              "window_start_after_end",
              "AssertionError",
              ConfigException.class,
              "end_time: expected a time after start_time"),
          of(
              "qlib_backtest",
              "cash_limit_without_benchmark_data",
              "ValueError",
              ConfigException.class,
              "exchange.cash_limit: expected daily or 1-minute bars of the benchmark"),
          of(
              "qlib_backtest",
              "last_calendar_day",
              "IndexError",
              FailedOrder.class,
              "the last step of a calendar cannot be traded"),
          of(
              "qlib_backtest",
              "wrong_granularity_day_cumsum",
              "AssertionError",
              FailedOrder.class,
              "expected 240 bars of that day, was 48"),
          of(
              "qlib_data",
              "day_cumsum_partial_day_1min",
              "AssertionError",
              DataException.class,
              "expected 240 bars of that day"),
          of(
              "qlib_data",
              "day_cumsum_partial_day_5min",
              "AssertionError",
              DataException.class,
              "expected 48 bars of that day"),
          of(
              "trainer",
              "no_validation_states",
              "SeedIteratorNotAvailable",
              ConfigException.class,
              "vessel.val: expected initial states"),
          of(
              "trainer",
              "no_train_states",
              "SeedIteratorNotAvailable",
              ConfigException.class,
              "vessel.train: expected initial states"),
          of(
              "trainer",
              "ckpt_filename_unknown_key",
              "KeyError",
              ConfigException.class,
              "checkpoint.filename: expected fields from"),
          of(
              "trainer",
              "weight_file_missing_critic",
              "RuntimeError",
              CheckpointException.class,
              "missing critic.value_out.weight"));

  public boolean appliesTo(String topicName, String caseName) {
    return topic.equals(topicName) && cases.matcher(caseName).matches();
  }

  private static ExpectedError of(
      String topic, String cases, String qlib, Class<?> type, String words) {
    return new ExpectedError(topic, Pattern.compile(cases), qlib, ErrorKind.of(type, words));
  }
}
