package io.tranche.work.backtest;

import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentRun;
import io.tranche.files.StagedFolder;
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
    try {
      // Weights come with the setup: a local file of that name might be older.
      Path folder = Files.createTempDirectory("tranche-weights");
      try {
        BacktestPlan plan = BacktestPlan.from(given.unpackedIn(folder), _ -> {});
        return new GroupsJob(
            AssembledRun.of(plan, plan.store(), given.apart(), given.logs(), _ -> {}),
            given.logs());
      } finally {
        StagedFolder.delete(folder);
      }
    } catch (IOException e) {
      throw new WorkException("no temporary folder can be written: " + e.getMessage(), e);
    }
  }

  private record GroupsJob(BacktestRun run, boolean logs) implements Job {

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
  }
}
