package io.tranche.benchmarks.env;

import io.tranche.benchmarks.measure.Options;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderFolder;
import io.tranche.market.order.OrderSplit;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.work.gym.EnvironmentHost;
import io.tranche.work.gym.HostSettings;
import io.tranche.work.gym.HostSettings.Autoreset;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Environments that play [WorkedOrders] for another program, without the program: actions are
/// written into the shared memory, and what happens is read from it.
///
/// The orders and their days are given as a training file of Qlib's dialect has them.
final class HostedOrders implements AutoCloseable {

  private static final String CONFIG =
      """
      simulator: {data_granularity: 1, time_per_step: 30, vol_limit: null}
      env: {concurrency: 1, parallel_mode: dummy}
      action_interpreter:
        class: CategoricalActionInterpreter
        module_path: qlib.rl.order_execution.interpreter
        kwargs: {values: 8, max_step: 8}
      state_interpreter:
        class: FullHistoryStateInterpreter
        module_path: qlib.rl.order_execution.interpreter
        kwargs:
          data_dim: 5
          data_ticks: 240
          max_step: 8
          processed_data_provider:
            class: HandlerProcessedDataProvider
            module_path: qlib.rl.data.native
            kwargs:
              data_dir: FOLDER/days
              feature_columns_today: [TODAY]
              feature_columns_yesterday: [YESTERDAY]
              backtest: false
      reward:
        class: PAPenaltyReward
        module_path: qlib.rl.order_execution.reward
        kwargs: {penalty: 100.0, scale: 1.0}
      network: {class: Recurrent, module_path: qlib.rl.order_execution.network}
      policy: {class: PPO, module_path: qlib.rl.order_execution.policy, kwargs: {lr: 0.0001}}
      data:
        source:
          order_dir: FOLDER/orders
          feature_root_dir: FOLDER/days
          feature_columns_today: [$close0, $volume0]
          feature_columns_yesterday: []
          total_time: 240
          default_start_time_index: 0
          default_end_time_index: 239
          proc_data_dim: 5
        num_workers: 0
        queue_size: 20
      runtime: {seed: 1, use_cuda: false}
      trainer: {max_epoch: 1, repeat_per_collect: 1, episode_per_collect: 1, batch_size: 1}
      """;

  private final int count;
  private final Path file;
  private final RunParts<?> parts;
  private final EnvironmentHost<?, ?> host;
  private final MappedByteBuffer memory;
  private final int actions;
  private final int rewards;
  private final int today;
  private final int yesterday;

  /// Opens environments, none of which has begun an episode.
  ///
  /// @param config as [#write] wrote it
  HostedOrders(Path config, int environments, int threads) throws IOException {
    count = environments;
    file = Files.createTempFile("tranche-gym-", "");
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(config), _ -> {});
    Path out = config.resolveSibling("hosted");
    parts = RunParts.of(run, PreparedData.of(run, new RunFolder(out), (_, _, _) -> {}));
    var settings = new HostSettings(count, Tag.TEST, Autoreset.NEXT_STEP, false, threads);
    host = EnvironmentHost.open(parts, settings, file);
    Map<String, Object> described = host.describe();
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      memory = channel.map(MapMode.READ_WRITE, 0, channel.size());
    }
    memory.order(ByteOrder.nativeOrder());
    actions = offset(described, "action", "offset");
    rewards = offset(described, "reward");
    today = offset(described, "observation", "spaces", "data_processed", "offset");
    yesterday = offset(described, "observation", "spaces", "data_processed_prev", "offset");
    host.reset(1L);
    steps();
  }

  private static int offset(Map<?, ?> described, String... path) {
    Object value = described;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? Objects.requireNonNull(map.get(name)) : value;
    }
    return ((Number) value).intValue();
  }

  /// Plays the next order of every environment, and returns how to look at what came of it: the
  /// values of the peers' script.
  Supplier<double[]> play() {
    host.step(); // begins the next episodes
    double reward = steps() / count / WorkedOrders.STEPS;
    return () -> new double[] {reward, size(today), size(yesterday)};
  }

  /// Returns the sum of the sizes of all rewards.
  private double steps() {
    double sum = 0;
    for (int step = 0; step < WorkedOrders.STEPS; step++) {
      for (int i = 0; i < count; i++) {
        memory.putLong(actions + i * Long.BYTES, step % 2);
      }
      host.step();
      for (int i = 0; i < count; i++) {
        sum += Math.abs(memory.getDouble(rewards + i * Double.BYTES));
      }
    }
    return sum;
  }

  private double size(int offset) {
    int numbers = count * WorkedOrders.TICKS * WorkedOrders.FEATURES.size();
    double sum = 0;
    for (int i = 0; i < numbers; i++) {
      sum += Math.log1p(Math.abs((double) memory.getFloat(offset + i * Float.BYTES)));
    }
    return sum / numbers;
  }

  @Override
  public void close() throws IOException {
    host.close();
    parts.close();
    Files.delete(file);
  }

  /// Writes orders, their days and a training file that names them.
  ///
  /// @return the training file
  static Path write(Options options, WorkedOrders worked) throws IOException {
    Path folder = Files.createDirectories(options.work().resolve("qlib"));
    LocalDate before = worked.bars().calendar().date(0).minusDays(1);
    OrderFolder.write(
        worked.orders().stream()
            .map(
                order ->
                    new DayOrder(order.date(), order.instrument(), order.side(), order.amount(), 1))
            .toList(),
        new OrderSplit(before, before), // all are for the test
        "csv",
        folder.resolve("orders"));
    Path features = Files.createDirectories(folder.resolve("days/feature"));
    Path prices = Files.createDirectories(folder.resolve("days/backtest"));
    for (String instrument : worked.bars().instruments()) {
      String file = instrument + ".csv";
      writeFeatures(worked.bars(), instrument, features.resolve(file));
      writePrices(worked.bars(), instrument, prices.resolve(file));
    }
    return Files.writeString(
        folder.resolve("train.yml"),
        CONFIG
            .replace("FOLDER", folder.toString())
            .replace("YESTERDAY", columns("_1"))
            .replace("TODAY", columns("")));
  }

  private static String columns(String suffix) {
    return WorkedOrders.FEATURES.stream()
        .map(field -> "$" + field + suffix)
        .collect(Collectors.joining(", "));
  }

  private static void writeFeatures(BarSource bars, String instrument, Path file)
      throws IOException {
    String header = "datetime, %s, %s".formatted(columns(""), columns("_1")).replace(" ", "");
    try (var out = Files.newBufferedWriter(file)) {
      out.write(header + "\n");
      DayFrame before = null;
      for (int date = 0; date < bars.calendar().days(); date++) {
        DayFrame day = day(bars, instrument, date);
        for (int tick = 0; tick < day.ticks(); tick++) {
          out.write(BarTime.format(day.time(tick)));
          out.write(row(day, tick, WorkedOrders.FEATURES));
          out.write(row(before, tick, WorkedOrders.FEATURES));
          out.write("\n");
        }
        before = day;
      }
    }
  }

  private static void writePrices(BarSource bars, String instrument, Path file) throws IOException {
    try (var out = Files.newBufferedWriter(file)) {
      out.write("datetime,$close0,$volume0\n");
      for (int date = 0; date < bars.calendar().days(); date++) {
        DayFrame day = day(bars, instrument, date);
        for (int tick = 0; tick < day.ticks(); tick++) {
          out.write(BarTime.format(day.time(tick)));
          out.write(row(day, tick, List.of("close", "volume")));
          out.write("\n");
        }
      }
    }
  }

  private static DayFrame day(BarSource bars, String instrument, int date) {
    return Objects.requireNonNull(bars.day(instrument, bars.calendar().date(date)));
  }

  /// Returns cells, zeros if there is no day.
  private static String row(@Nullable DayFrame day, int tick, List<String> fields) {
    return fields.stream()
        .map(field -> "," + (day == null ? 0 : day.value(day.fieldIndex(field), tick)))
        .collect(Collectors.joining());
  }
}
