package io.tranche.benchmarks.env;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.benchmarks.measure.Turn;
import io.tranche.cli.Main;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Steps 256 environments for another program: full histories of days of 240 minutes, eight
/// decisions an order, written into shared memory. A turn is 32 orders, 256 steps: one batch.
///
/// Our package steps them from Python, and so do we without it. Peers: the same orders in Qlib's
/// own vector environments, of which eight in its process run on one thread and two in processes of
/// their own on two; and in NumPy, all at once. Qlib's cache has every day, and so has ours; two
/// more figures are of days as many as a training has.
public final class GymBenchmark {

  private static final int ENVIRONMENTS = 256;
  private static final int THREADS = 2;

  /// Their days fit into Qlib's cache, and they fill all environments evenly.
  private static final int ORDERS = 32;

  /// How often a turn of ours fills the environments.
  private static final int REPEAT = 250;

  /// Qlib's prices are single floats.
  private static final double TOLERANCE = 1e-5;

  private static final Pattern WAY = Pattern.compile("(gym\\.\\w+)\\.wall");

  private static final int STEPS = ORDERS * WorkedOrders.STEPS;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "gym",
          "How many environment steps per second does another program see, and what does it cost"
              + " to cross?",
          "gym.host.wall gym.host.cpu gym.host.steps_per_s",
          GymBenchmark::run);

  private GymBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var worked = new WorkedOrders(options.count(8, 2), options.count(20, 4), ORDERS);
    Path config = HostedOrders.write(options, worked);
    Object[] arguments =
        options.peers() ? EnvBenchmark.peerArguments(options, worked, "vector", ORDERS) : null;
    try (PeerTurns python =
            PeerTurns.start(
                options,
                "gym",
                "gym_steps.py",
                options.home().resolve("clients/python"),
                launcher(options),
                config,
                days(options),
                options.work().resolve("environments"),
                ENVIRONMENTS,
                ORDERS,
                options.count(REPEAT, 1));
        PeerTurns qlib =
            arguments == null
                ? null
                : PeerTurns.start(options, "qlib-rl", "env_steps.py", arguments);
        var hosted = new HostedOrders(config, ENVIRONMENTS, THREADS)) {
      var figures = new ArrayList<Figure>();
      if (python != null) {
        figures.addAll(oneThread(options, python, qlib));
      }
      figures.addAll(twoThreads(options, hosted, python, qlib));
      if (python != null) {
        figures.addAll(manyDays(options, python));
      }
      return withSpeeds(figures);
    }
  }

  private static List<Figure> oneThread(Options options, PeerTurns python, @Nullable PeerTurns qlib)
      throws IOException {
    return SideBySide.ofProcesses(
            options,
            "gym.one",
            "32 orders of a day of minutes, 8 steps each, seen from Python as full histories",
            () -> python.take("one"))
        .repeating(options.count(REPEAT * ENVIRONMENTS / ORDERS, 1)) // as often as ours
        .within(TOLERANCE)
        .against(Row.Form.USUAL, "Qlib's FiniteDummyVectorEnv", qlib, "dummy")
        .against(Row.Form.EXPERT, "NumPy, all at once", qlib, "environment_numpy")
        .run(warmups(options), turns(options));
  }

  private static List<Figure> twoThreads(
      Options options, HostedOrders hosted, @Nullable PeerTurns python, @Nullable PeerTurns qlib)
      throws IOException {
    int times = options.count(REPEAT, 1);
    return SideBySide.ofProcesses(
            options,
            "gym.host",
            "the same on two threads, without Python",
            () -> turn(hosted, times))
        .also("gym.full", "seen from Python as views of shared memory", python, "full")
        .also("gym.read", "and every value read by NumPy at every step", python, "read")
        .also("gym.copied", "as arrays of their own (`copy=True`)", python, "copied")
        .onThreads(THREADS)
        .within(TOLERANCE)
        .against(Row.Form.USUAL, "Qlib's FiniteShmemVectorEnv", qlib, "shmem")
        .run(warmups(options), turns(options));
  }

  /// All environments play so many orders; the time is that of 32.
  private static Turn turn(HostedOrders hosted, int times) throws IOException {
    var values = new ArrayList<Supplier<double[]>>();
    Timing timing =
        Timing.of(
            0,
            1,
            () -> {
              for (int i = 0; i < times; i++) {
                values.add(hosted.play());
              }
            });
    double share = (double) ORDERS / ENVIRONMENTS / times;
    return Turn.of(timing.times(share), values.getLast().get());
  }

  /// Measures in turns what has no peer: days as many as a training has, in our own dialect.
  private static List<Figure> manyDays(Options options, PeerTurns python) throws IOException {
    var figures = new ArrayList<Figure>();
    for (String work : List.of("days", "flat")) {
      var timings = new ArrayList<Timing>();
      double numbers = 0;
      for (int i = -warmups(options); i < turns(options); i++) {
        Turn turn = python.take(work);
        numbers = turn.values().getFirst();
        if (i >= 0) {
          timings.add(turn.timing());
        }
      }
      Timing median = Timing.median(timings);
      figures.add(new Figure("gym." + work + ".values", numbers, "values"));
      figures.add(new Figure("gym." + work + ".wall", median.wallSeconds(), "s"));
      figures.add(new Figure("gym." + work + ".cpu", median.cpuSeconds(), "s"));
    }
    return figures;
  }

  /// Adds steps per second, and what it costs to cross into Python and back.
  private static List<Figure> withSpeeds(List<Figure> measured) {
    var figures = new ArrayList<>(measured);
    var walls = new LinkedHashMap<String, Double>();
    for (Figure figure : measured) {
      Matcher way = WAY.matcher(figure.name());
      if (way.matches()) {
        walls.put(way.group(1), figure.value());
        figures.add(new Figure(way.group(1) + ".steps_per_s", STEPS / figure.value(), "steps/s"));
      }
    }
    Double seen = walls.get("gym.full");
    if (seen != null) {
      double batch = seen - walls.getOrDefault("gym.host", 0.0);
      figures.add(new Figure("gym.crossing.batch.us", batch * 1e6, "us"));
      figures.add(new Figure("gym.crossing.step.ns", batch * 1e9 / STEPS, "ns"));
    }
    return figures;
  }

  private static int warmups(Options options) {
    return options.count(3, 0);
  }

  private static int turns(Options options) {
    return options.count(10, 1);
  }

  /// Writes a configuration of our own with many days.
  private static Path days(Options options) throws IOException {
    Path store = options.work().resolve("bars");
    Generated.write(
        Generated.bars(options.count(40, 2), options.count(80, 20), Frequency.MINUTE),
        QlibStoreWriter.create(store, Existing.REFUSE));
    return Files.writeString(
        options.work().resolve("gym.yml"),
        "tranche: 1\ndata: {bars: '%s', orders: {per_day: 4}}\n".formatted(store));
  }

  /// Writes a launcher of this very code.
  private static Path launcher(Options options) throws IOException {
    String command =
        Options.java(false).stream().map(part -> "'" + part + "'").collect(Collectors.joining(" "));
    Path launcher =
        Files.writeString(
            options.work().resolve("tranche"),
            "#!/bin/sh\nexec %s %s \"$@\"\n".formatted(command, Main.class.getName()));
    if (!launcher.toFile().setExecutable(true)) {
      throw new IOException(launcher + ": expected to be made executable");
    }
    return launcher;
  }
}
