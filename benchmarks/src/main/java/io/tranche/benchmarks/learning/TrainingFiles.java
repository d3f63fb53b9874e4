package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderFolder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import io.tranche.policy.experience.Batching;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The input files of a training run, in the shape of Qlib's example on 5-minute bars: 48 ticks, 5
/// features of today, 8 decisions, Qlib's default network and PPO.
final class TrainingFiles {

  private static final Frequency FREQUENCY = Frequency.ofMinutes(5);
  private static final int TICKS = 48;

  /// Days at the beginning that the windows of the features use up.
  private static final int DAYS_CUT = 2;

  /// One validation order in this many is kept: Qlib takes a second for six.
  private static final int VALIDATION_THINNING = 3;

  private static final String QLIB =
      """
      simulator: {data_granularity: 5, time_per_step: 30, vol_limit: null}
      env: {concurrency: 32, parallel_mode: dummy}
      action_interpreter:
        class: CategoricalActionInterpreter
        module_path: qlib.rl.order_execution.interpreter
        kwargs: {values: 4, max_step: 8}
      state_interpreter:
        class: FullHistoryStateInterpreter
        module_path: qlib.rl.order_execution.interpreter
        kwargs:
          data_dim: 5
          data_ticks: 48
          max_step: 8
          processed_data_provider:
            class: HandlerProcessedDataProvider
            module_path: qlib.rl.data.native
            kwargs:
              data_dir: FOLDER/pickle
              feature_columns_today: [$high, $low, $open, $close, $volume]
              feature_columns_yesterday: [$high_1, $low_1, $open_1, $close_1, $volume_1]
              backtest: false
      reward:
        class: PAPenaltyReward
        module_path: qlib.rl.order_execution.reward
        kwargs: {penalty: 4.0, scale: 0.01}
      network:
        class: Recurrent
        module_path: qlib.rl.order_execution.network
      policy:
        class: PPO
        module_path: qlib.rl.order_execution.policy
        kwargs: {lr: 0.0001}
      data:
        source:
          order_dir: FOLDER/orders
          feature_root_dir: FOLDER/pickle
          feature_columns_today: [$close0, $volume0]
          feature_columns_yesterday: []
          total_time: 240
          default_start_time_index: 0
          default_end_time_index: 235
          proc_data_dim: 5
        num_workers: 0
        queue_size: 20
      runtime: {seed: 1, use_cuda: false}
      trainer:
        max_epoch: 1000
        repeat_per_collect: REPEAT
        earlystop_patience: 1000
        episode_per_collect: EPISODES
        batch_size: 1024
        batching: BATCHING # Qlib ignores it, and draws transitions
        checkpoint_path: FOLDER/qlib-BATCHING
        checkpoint_every_n_iters: 1
      """;

  private final Options options;
  private final int instruments;
  private final int days;
  private final int episodes;
  private final int repeat;

  TrainingFiles(Options options) {
    this.options = options;
    instruments = options.count(40, 2);
    days = options.count(80, 20);
    episodes = options.count(1000, 20);
    repeat = options.count(25, 1);
  }

  /// Writes a configuration of our own that needs no files.
  Path ours(Batching batching) throws IOException {
    return Files.writeString(
        options.work().resolve("ours-%s.yml".formatted(word(batching))),
        """
        tranche: 1
        data: {market: {instruments: %d, days: %d}, both_sides: false}
        env: {concurrency: 32, parallel_mode: dummy}
        network: {class: RecurrentNetwork, kwargs: {hidden: 64, output: 32}}
        policy: {class: Ppo, kwargs: {learning_rate: 1.0e-4}}
        trainer: {episodes_per_iteration: %d, repeat: %d, batch_size: 1024, batching: %s}
        validation: {every: null}
        """
            .formatted(instruments, days, episodes, repeat, word(batching)));
  }

  /// Writes a configuration of Qlib's for the files that [#write] has made.
  Path qlib(Batching batching) throws IOException {
    return Files.writeString(
        options.work().resolve("qlib-%s.yml".formatted(word(batching))),
        QLIB.replace("FOLDER", options.work().toString())
            .replace("BATCHING", word(batching))
            .replace("EPISODES", Integer.toString(episodes))
            .replace("REPEAT", Integer.toString(repeat)));
  }

  private static String word(Batching batching) {
    return batching.name().toLowerCase(Locale.ROOT);
  }

  /// Lets Qlib make feature and backtest pickles of the embedded market, and order pickles of our
  /// orders.
  void write(Peer peer) throws IOException {
    Path store = options.work().resolve("store");
    BarSource bars = Generated.bars(instruments, days, FREQUENCY);
    Generated.write(bars, QlibStoreWriter.create(store, Existing.REFUSE));
    Calendar calendar = bars.calendar();
    OrderSplit split = OrderSplit.byShares(calendar, 0.6, 0.2);
    int trainEnd = calendar.dayOf(split.trainEnd());
    int validEnd = calendar.dayOf(split.validEnd());
    LocalDate start = calendar.date(DAYS_CUT);
    LocalDate end = calendar.date(days - 1); // its midnight: the last day is left out
    peer.answer(
        "feature_pipeline.py",
        store,
        FREQUENCY,
        TICKS,
        start,
        calendar.date(trainEnd),
        calendar.date(trainEnd + 1),
        calendar.date(validEnd),
        calendar.date(validEnd + 1),
        end,
        options.work().resolve("pickle"));
    Path orders = options.work().resolve("orders-csv");
    OrderFolder.write(orders(bars, split, start, end), split, "csv", orders);
    Peer.Answer written = peer.answer("order_pickles.py", orders, options.work().resolve("orders"));
    options.printf("orders: %s%n", written.values());
  }

  private static List<DayOrder> orders(
      BarSource bars, OrderSplit split, LocalDate start, LocalDate end) {
    var orders = new ArrayList<DayOrder>();
    int validation = 0;
    for (DayOrder order : OrderGenerator.DEFAULT.generate(bars)) {
      boolean hasFeatures = !order.date().isBefore(start) && order.date().isBefore(end);
      boolean validates = split.tag(order.date()) == OrderSplit.Tag.VALID;
      if (hasFeatures && (!validates || validation++ % VALIDATION_THINNING == 0)) {
        orders.add(order);
      }
    }
    return orders;
  }
}
