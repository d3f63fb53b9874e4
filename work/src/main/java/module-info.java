/// The long jobs (backtest, selection, tuning, export, decisions), and where their pieces run.
module io.tranche.work {
  requires transitive io.tranche.analysis;
  requires transitive io.tranche.runtime;
  requires transitive io.tranche.run;
  requires static transitive org.jspecify;
  requires tools.jackson.databind;

  exports io.tranche.work;
  exports io.tranche.work.backtest;
  exports io.tranche.work.decide;
  exports io.tranche.work.export;
  exports io.tranche.work.gym;
  exports io.tranche.work.judge;
  exports io.tranche.work.roll;
  exports io.tranche.work.selection;
  exports io.tranche.work.start;
  exports io.tranche.work.stress;
  exports io.tranche.work.tuning;

  uses io.tranche.work.ClusterStarter;
  uses io.tranche.work.JobKind;
  uses io.tranche.work.RemoteFiles;
  uses io.tranche.work.BackendProvider;

  provides io.tranche.config.ComponentProvider with
      io.tranche.work.gym.CallableProvider;
  provides io.tranche.work.JobKind with
      io.tranche.work.backtest.BacktestKind,
      io.tranche.work.data.FeaturesKind,
      io.tranche.work.data.OrdersKind,
      io.tranche.work.judge.PlayKind,
      io.tranche.work.rollout.RolloutKind,
      io.tranche.work.tuning.TrialKind;
}
