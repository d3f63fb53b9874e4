package io.tranche.benchmarks.backtest;

import io.tranche.benchmarks.learning.Experience;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.RandomTree;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/// The inputs of a backtest: a store of 1-minute bars, orders, features, and a policy's weights.
final class BacktestData {

  /// Few, because Qlib executes about four per second: forty orders.
  private static final int PEER_INSTRUMENTS = 4;

  /// Of the calendar, not of trading.
  private static final int PEER_DAYS = 14;

  final Path folder;
  final Path allOrders;
  final Path fewOrders;
  final Path quarterOfOrders;
  final Path weights;
  final Path peerFeatures;
  private final List<Order> orders;
  private final List<Order> peerOrders;

  /// @param folder must be empty
  /// @param days how many days each instrument has an order on
  BacktestData(Path folder, int instruments, int days) throws IOException {
    this.folder = folder;
    allOrders = folder.resolve("orders.csv");
    fewOrders = folder.resolve("peer_orders.csv");
    quarterOfOrders = folder.resolve("quarter_orders.csv");
    weights = folder.resolve("weights.pth");
    peerFeatures = folder.resolve("features.pth");
    // Qlib cannot trade on the last day of a calendar.
    BarSource bars =
        new CachedBars(Generated.bars(instruments, days + 3, Frequency.MINUTE), instruments);
    Generated.write(
        bars, QlibStoreWriter.create(store(), QlibStoreWriter.Existing.REFUSE));
    LocalDate last = bars.calendar().date(bars.calendar().days() - 1);
    orders = Experience.orders(bars).stream().filter(order -> order.date().isBefore(last)).toList();
    List<String> few = bars.instruments().subList(0, Math.min(PEER_INSTRUMENTS, instruments));
    LocalDate until = orders.getFirst().date().plusDays(PEER_DAYS);
    peerOrders =
        orders.stream()
            .filter(order -> few.contains(order.instrument()) && order.date().isBefore(until))
            .toList();
    write(allOrders, orders);
    write(fewOrders, peerOrders);
    List<String> quarter = bars.instruments().subList(0, Math.ceilDiv(instruments, 4));
    write(
        quarterOfOrders,
        orders.stream().filter(order -> quarter.contains(order.instrument())).toList());
    try (FeatureSource features =
        Experience.features(bars, Experience.MINUTES, folder.resolve("features"))) {
      TorchFile.write(peerFeatures, tensors(features));
    }
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create(
            Recurrent.factory(RecurrentConfig.DEFAULT, Experience.FEATURES),
            Experience.CHOICES,
            RandomTree.generator(1));
    // A policy with random weights trades everything at once, and most of the day is idle. This one
    // trades a quarter at a time, whatever it sees.
    Weights model = agent.model().weights();
    Parameter bias = Objects.requireNonNull(model.parameter("actor.layer_out.0.bias"));
    model.load(bias, new float[] {0, 5, 0, 0, 0});
    TorchFile.write(weights, agent.weights().stateDict());
  }

  private static void write(Path file, List<Order> orders) throws IOException {
    var text = new StringBuilder("datetime,instrument,amount,direction\n");
    for (Order order : orders) {
      text.append(order.date()).append(',').append(order.instrument()).append(',');
      text.append(order.amount()).append(',').append(order.side().code()).append('\n');
    }
    Files.writeString(file, text);
  }

  /// Returns the days of the peer's orders, today's features and yesterday's side by side.
  private StateDict tensors(FeatureSource features) {
    var tensors = new LinkedHashMap<String, Tensor>();
    for (Order order : peerOrders) {
      DayFeatures day = features.day(order.instrument(), order.date());
      float[] both = new float[2 * day.ticks() * Experience.FEATURES];
      for (int tick = 0; tick < day.ticks(); tick++) {
        for (int column = 0; column < Experience.FEATURES; column++) {
          int at = 2 * tick * Experience.FEATURES + column;
          both[at] = day.today(tick, column);
          both[at + Experience.FEATURES] = day.yesterday(tick, column);
        }
      }
      tensors.put(
          order.instrument() + " " + order.date(),
          Tensor.of(List.of(day.ticks(), 2 * Experience.FEATURES), both));
    }
    return new StateDict(tensors);
  }

  int orders() {
    return orders.size();
  }

  int peerOrders() {
    return peerOrders.size();
  }

  /// Returns the configuration for us.
  ConfigNode config(String strategy, Path orderFile) {
    String today = "[" + String.join(", ", Generated.PRICES) + ", $volume]";
    return ConfigFiles.parse(
        strategy + ".yml",
        yaml(
            strategy,
            orderFile,
            folder.resolve("out"),
            "{class: FeatureStore, kwargs: {path: %s, today: %s, cached_days: 4096}}"
                .formatted(folder.resolve("features"), today)));
  }

  Path store() {
    return folder.resolve("store");
  }

  /// Returns the configuration of the peer, whose features come from a file of torch's.
  String peerConfig(String strategy, Path out) {
    return yaml(
        strategy,
        fewOrders,
        out,
        "{class: TensorProvider, module_path: backtest_features, kwargs: {file: %s}}"
            .formatted(peerFeatures));
  }

  private String yaml(String strategy, Path orderFile, Path out, String features) {
    String outer =
        strategy.equals("twap")
            ? "{class: TWAPStrategy, module_path: qlib.contrib.strategy.rule_strategy, kwargs: {}}"
            : """
              class: SAOEIntStrategy
                  module_path: qlib.rl.order_execution.strategy
                  kwargs:
                    data_granularity: 1
                    action_interpreter:
                      class: CategoricalActionInterpreter
                      module_path: qlib.rl.order_execution.interpreter
                      kwargs: {values: %d, max_step: %d}
                    state_interpreter:
                      class: FullHistoryStateInterpreter
                      module_path: qlib.rl.order_execution.interpreter
                      kwargs:
                        {max_step: %d, data_ticks: %d, data_dim: %d, processed_data_provider: %s}
                    network:
                      {class: Recurrent, module_path: qlib.rl.order_execution.network, kwargs: {}}
                    policy:
                      class: PPO
                      module_path: qlib.rl.order_execution.policy
                      kwargs: {lr: 0.0001, weight_file: %s}
              """
                .formatted(
                    Experience.CHOICES - 1,
                    Experience.DECISIONS,
                    Experience.DECISIONS,
                    Experience.MINUTES,
                    Experience.FEATURES,
                    features,
                    weights);
    return """
    order_file: %s
    start_time: "9:30"
    end_time: "14:59"
    data_granularity: 1min
    concurrency: 1
    output_dir: %s
    qlib: {provider_uri_1min: %s}
    exchange:
      limit_threshold: null
      deal_price: [$close, $close]
      volume_threshold: null
    strategies:
      30min: {class: TWAPStrategy, module_path: qlib.contrib.strategy.rule_strategy, kwargs: {}}
      1day:
        %s
    """
        .formatted(orderFile, out, store(), outer);
  }
}
