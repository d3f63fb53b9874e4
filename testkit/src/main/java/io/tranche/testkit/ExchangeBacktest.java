package io.tranche.testkit;

import java.nio.file.Path;

/// The configuration of a backtest on Qlib's exchange, by a policy that a run on the embedded
/// market has trained.
public final class ExchangeBacktest {

  private ExchangeBacktest() {}

  /// Returns the text of a configuration file.
  ///
  /// @param bars the run's store
  /// @param hidden the size of the run's recurrent network
  /// @param output the size of its output
  public static String yaml(Path bars, Path orders, Path weights, int hidden, int output) {
    return """
    order_file: '%2$s'
    start_time: "09:30"
    end_time: "15:00"
    data_granularity: 5min
    qlib: {provider_uri_5min: '%1$s'}
    exchange: {limit_threshold: null, trade_unit: null, deal_price: [$close, $close]}
    strategies:
      30min: {class: TWAPStrategy}
      1day:
        class: PolicyStrategy
        kwargs:
          data_granularity: 5
          policy:
            class: Ppo
            kwargs: {entropy_weight: 0.01, learning_rate: 0.001, weight_file: '%3$s'}
          state_interpreter:
            class: FullHistoryInterpreter
            kwargs:
              dimension: 6
              features:
                class: ComputedFeatures
                kwargs:
                  path: '%1$s'
                  providers: [price_moves, relative_volume, time_of_day]
              max_steps: 8
              ticks: 48
              mirror: true
          action_interpreter: {class: CategoricalInterpreter, kwargs: {shares: 4}}
          network: {class: RecurrentNetwork, kwargs: {hidden: %4$d, output: %5$d}}
    """
        .formatted(bars, orders, weights, hidden, output);
  }
}
