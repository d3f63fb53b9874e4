package io.tranche.benchmarks.env;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.cli.Main;
import io.tranche.config.ConfigFiles;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.work.gym.EnvironmentHost;
import io.tranche.work.gym.HostSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Steps 256 environments for another program: full histories of days of 240 minutes, eight
/// decisions an order, written into shared memory on two threads.
///
/// Peers: our Python package does the same from outside, and Qlib's own vector environments step
/// orders of the same size.
public final class GymBenchmark {

  private static final int ENVIRONMENTS = 256;
  private static final int THREADS = 2;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "gym",
          "How many environment steps per second does another program see, and what does it cost"
              + " to cross?",
          "gym.host.steps_per_s gym.host.batch.us",
          GymBenchmark::run);

  private GymBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    Path store = options.work().resolve("bars");
    Generated.write(
        Generated.bars(options.count(40, 2), options.count(80, 20), Frequency.MINUTE),
        QlibStoreWriter.create(store, Existing.REFUSE));
    Path config =
        Files.writeString(
            options.work().resolve("gym.yml"),
            "tranche: 1\ndata: {bars: '%s', orders: {per_day: 4}}\n".formatted(store));
    Path out = options.work().resolve("run");
    int warmup = options.count(20_000, 5);
    int batches = options.count(10_000, 5);
    double host = host(config, out, warmup, batches);
    var figures = new ArrayList<Figure>();
    figures.add(new Figure("gym.host.steps_per_s", ENVIRONMENTS / host, "steps/s"));
    figures.add(new Figure("gym.host.batch.us", host * 1e6, "us"));
    Peer python = Peer.prepare(options, "gym");
    Peer qlib = python == null ? null : Peer.prepare(options, "qlib-rl");
    if (python == null || qlib == null) {
      return figures;
    }
    Peer.Answer ours =
        python.answer(
            "gym_steps.py",
            options.home().resolve("clients/python"),
            launcher(options),
            config,
            out,
            ENVIRONMENTS,
            warmup,
            batches);
    ours.values()
        .forEach((name, value) -> figures.add(new Figure("gym.python." + name, value, unit(name))));
    double crossing = ours.value("full.batch.us") - host * 1e6;
    figures.add(new Figure("gym.crossing.batch.us", crossing, "us"));
    figures.add(new Figure("gym.crossing.step.ns", crossing * 1e3 / ENVIRONMENTS, "ns"));
    int orders = options.count(EnvBenchmark.PEER_ORDERS, 2);
    var worked = new WorkedOrders(options.count(40, 2), options.count(80, 3), orders);
    qlib.answer("env_steps.py", EnvBenchmark.peerArguments(options, worked, "vector", orders))
        .values()
        .forEach(
            (name, value) -> {
              figures.add(new Figure("gym.qlib." + name, value, "steps/s"));
              String kind = name.substring(0, name.indexOf('.'));
              figures.add(
                  new Figure("gym.ratio." + kind, ours.value("full.steps_per_s") / value, "x"));
            });
    return figures;
  }

  private static String unit(String name) {
    return name.endsWith("us") ? "us" : name.endsWith("values") ? "values" : "steps/s";
  }

  /// Returns the seconds of a batch without another program.
  private static double host(Path config, Path out, int warmup, int batches) throws IOException {
    ExecutionRun run = ExecutionRun.read(ConfigFiles.load(config), _ -> {});
    Path file = Files.createTempFile("tranche-gym-", "");
    HostSettings settings = HostSettings.of(ENVIRONMENTS).withThreads(THREADS);
    try (RunParts<?> parts =
            RunParts.of(run, PreparedData.of(run, new RunFolder(out), (_, _, _) -> {}));
        var host = EnvironmentHost.open(parts, settings, file)) {
      host.reset(1L);
      for (int i = 0; i < warmup; i++) {
        host.step();
      }
      long began = System.nanoTime();
      for (int i = 0; i < batches; i++) {
        host.step();
      }
      return (System.nanoTime() - began) / 1e9 / batches;
    } finally {
      Files.delete(file);
    }
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
