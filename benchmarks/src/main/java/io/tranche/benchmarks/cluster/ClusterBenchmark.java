package io.tranche.benchmarks.cluster;

import io.tranche.cluster.Folders;
import io.tranche.cluster.LocalCluster;
import io.tranche.cluster.ShippedJars;
import io.tranche.cluster.SparkBackend;
import io.tranche.cluster.TaskTimes;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.BackendSettings;
import io.tranche.work.ClusterStarter;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// `tranche bench cluster`: the overhead of Spark over threads for one backtest on the same cores,
/// without the start of the cluster, and an estimate for many more cores.
public final class ClusterBenchmark {

  private static final int REPEATS = 2;
  private static final int MEGABYTES = 2048;

  /// The model assumes this many cores. Each has the measured amount of work, if the backtest takes
  /// a minute.
  private static final int CORES = 1000;

  private static final double SECONDS_EACH = 60;

  private final ConfigNode config;
  private final Path folder;
  private final PrintStream out;

  private ClusterBenchmark(ConfigNode config, Path folder, PrintStream out) {
    this.config = config;
    this.folder = folder;
    this.out = out;
  }

  /// @param arguments a backtest's configuration (default: a minute's work on generated data), and
  ///   how many workers of one core (default: 2)
  @SuppressWarnings("SystemOut") // the figures are what it is for
  public static void main(String[] arguments) {
    if (arguments.length > 2 || (arguments.length > 0 && arguments[0].startsWith("-"))) {
      System.err.println("usage: tranche bench cluster [CONFIG [WORKERS]]");
      System.exit(2);
    }
    int workers = arguments.length < 2 ? 2 : Integer.parseInt(arguments[1]);
    Path folder = Folders.temporary("tranche-bench");
    try {
      ConfigNode config =
          arguments.length == 0 ? MinuteOfWork.in(folder) : ConfigFiles.load(Path.of(arguments[0]));
      new ClusterBenchmark(config, folder.resolve("results"), System.out).run(workers);
    } finally {
      Folders.delete(folder);
    }
    System.exit(0);
  }

  private void run(int workers) {
    double threads = fastest(workers, backtest -> backtest.run((_, _, _) -> {}));
    long begin = System.nanoTime();
    try (LocalCluster cluster =
            LocalCluster.start(workers, new ClusterStarter.Size(1, MEGABYTES), _ -> {});
        SparkBackend place = open(cluster)) {
      double start = seconds(begin);
      TaskTimes tasks = place.timeTasks();
      var measured = new SetupMeter(place);
      double spark =
          fastest(
              1,
              backtest -> {
                tasks.clear();
                backtest.run(measured, (_, _, _) -> {});
              });
      double serial = Math.max(0, spark - tasks.workSeconds() / workers);
      print("cluster.threads", threads, "s");
      print("cluster.spark", spark, "s");
      print("cluster.overhead", spark / threads, "x");
      print("cluster.start", start, "s");
      print("cluster.setup", measured.bytes, "bytes");
      print("cluster.tasks", tasks.count(), "tasks");
      print("cluster.task", tasks.workSeconds() / tasks.count(), "s");
      print("cluster.scheduling", 1000 * tasks.waitSeconds() / tasks.count(), "ms/task");
      print("cluster.serial", serial, "s");
      // The serial part stays constant. Executors, or at worst the driver, one task after another,
      // spend the time outside the work. The number of tasks per core stays constant.
      double each = tasks.waitSeconds() / workers;
      print("cluster.1000cores.efficiency", efficiency(serial + each), "of 1");
      print("cluster.1000cores.worst", efficiency(serial + each * CORES), "of 1");
    }
  }

  private static SparkBackend open(LocalCluster cluster) {
    var settings = new BackendSettings(1, List.of(), cluster.options(), _ -> {});
    return SparkBackend.start(cluster.address(), settings, ShippedJars.ofClassPath(List.of()));
  }

  private double fastest(int threads, Consumer<Backtest> work) {
    double fastest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < REPEATS; i++) {
      BacktestOptions options = BacktestOptions.DEFAULT.withThreads(threads).in(folder);
      try (Backtest backtest = Backtest.open(config, options, _ -> {})) {
        long begin = System.nanoTime();
        work.accept(backtest);
        fastest = Math.min(fastest, seconds(begin));
      }
    }
    return fastest;
  }

  private static double efficiency(double besides) {
    return SECONDS_EACH / (SECONDS_EACH + besides);
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private void print(String figure, double value, String unit) {
    out.println(String.format(Locale.ROOT, "%-34s %14.4f %s", figure, value, unit));
  }

  /// A backend that knows the size of the last setup.
  private static final class SetupMeter implements JobBackend {

    private final JobBackend place;
    private int bytes;

    SetupMeter(JobBackend place) {
      this.place = place;
    }

    @Override
    public String name() {
      return place.name();
    }

    @Override
    public int width() {
      return place.width();
    }

    @Override
    public JobSession open(JobKind kind, byte[] setup) {
      bytes = setup.length;
      return place.open(kind, setup);
    }

    @Override
    public void close() {
      place.close();
    }
  }

  /// A backtest that keeps two cores busy for about a minute: an order on each of 400 days of 100
  /// generated instruments, with a recurrent network of 512 that is hardly trained.
  private static final class MinuteOfWork {

    private static final String TRAINING =
        """
        tranche: 1
        data: {market: {instruments: 100, days: 400}}
        env: {concurrency: 2, parallel_mode: dummy}
        network: {class: RecurrentNetwork, kwargs: {hidden: 512, output: 32}}
        trainer: {max_iterations: 1, episodes_per_iteration: 2, repeat: 1}
        validation: {judge: false}
        """;

    @SuppressWarnings("InlineFormatString") // it stands beside the other text of the benchmark
    private static final String BACKTEST =
        """
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
              network: {class: RecurrentNetwork, kwargs: {hidden: 512, output: 32}}
        """;

    private static final InstantSource NO_CLOCK = InstantSource.fixed(Instant.EPOCH);

    /// Makes data, weights and orders below `folder` and returns the backtest's configuration.
    static ConfigNode in(Path folder) {
      var run = new RunFolder(folder.resolve("run"));
      var options = TrainingOptions.in(run.folder()).withFastDevRun(2);
      try (TrainingRun<?> training =
          TrainingRun.open(
              ExecutionRun.read(ConfigFiles.parse("training", TRAINING), _ -> {}),
              options,
              (_, _, _) -> {},
              TrainingProgress.NONE,
              NO_CLOCK)) {
        training.train(null);
      }
      Path bars = run.folder().resolve("data/bars");
      Path weights = run.checkpoints().resolve("001.ckpt");
      return ConfigFiles.parse("backtest", BACKTEST.formatted(bars, orders(bars, folder), weights));
    }

    private static Path orders(Path store, Path folder) {
      var lines = new ArrayList<>(List.of("datetime,instrument,amount,direction"));
      try (QlibStore bars = QlibStore.open(store, Frequency.parse("5min"))) {
        for (int day = 0; day < bars.calendar().days(); day++) {
          for (String instrument : bars.instruments()) {
            lines.add("%s,%s,1000,%d".formatted(bars.calendar().date(day), instrument, day % 2));
          }
        }
      }
      Path file = folder.resolve("orders.csv");
      try {
        return Files.write(file, lines);
      } catch (IOException e) {
        throw DataException.unwritable(file, e);
      }
    }
  }
}
