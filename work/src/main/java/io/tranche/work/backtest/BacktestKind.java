package io.tranche.work.backtest;

import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentRun;
import io.tranche.config.ConfigNode;
import io.tranche.env.ParallelFor;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.files.StagedFolder;
import io.tranche.market.store.QlibProviders;
import io.tranche.work.ConfigPaths;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import io.tranche.work.WorkException;
import io.tranche.work.backtest.BacktestOrders.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/// Backtests. A piece is some groups of one instrument's orders.
public final class BacktestKind implements JobKind {

  @Override
  public String name() {
    return "backtest";
  }

  @Override
  public Job open(byte[] setup) {
    BacktestSetup given = BacktestSetup.read(setup);
    ParallelFor parallel = new ParallelFor(1);
    try {
      // Weights come with the setup: a local file of that name might be older.
      Path folder = Files.createTempDirectory("tranche-weights");
      try {
        BacktestRun run = assemble(ConfigPaths.staged(given.unpackedIn(folder)), given, parallel);
        return new GroupsJob(run, given.logs(), parallel);
      } finally {
        StagedFolder.delete(folder);
      }
    } catch (IOException e) {
      parallel.close();
      throw new WorkException("no temporary folder can be written: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      parallel.close();
      throw e;
    }
  }

  private static BacktestRun assemble(
      ConfigNode config, BacktestSetup setup, ParallelFor parallel) {
    ConfigNode filled = BacktestSettings.withDefaults(config);
    QlibProviders providers = BacktestSettings.providers(filled.required("qlib"));
    return AssembledRun.of(
        config,
        providers,
        providers.store(BacktestSettings.granularity(filled)),
        setup.apart(),
        setup.logs(),
        parallel,
        _ -> {});
  }

  private record GroupsJob(BacktestRun run, boolean logs, ParallelFor parallel) implements Job {

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      GroupsPiece groups = GroupsPiece.read(piece);
      InstrumentRun instrument =
          run.of(groups.instrument(), groups.entries().stream().map(Entry::order).toList());
      var results = new ArrayList<GroupResult>();
      for (int group : groups.groups()) {
        results.add(GroupResult.of(instrument, group, groups.entries(), logs));
      }
      return GroupsPiece.bytes(results);
    }

    @Override
    public void close() {
      parallel.close();
    }
  }
}
