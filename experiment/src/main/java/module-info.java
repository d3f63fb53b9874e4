/// What a run is made of, and how its policies are judged.
module io.tranche.experiment {
  requires transitive io.tranche.analysis;
  requires transitive io.tranche.runtime;
  requires transitive io.tranche.trainer;
  requires static transitive org.jspecify;
  requires tools.jackson.databind;

  exports io.tranche.experiment;
  exports io.tranche.experiment.backtest;
  exports io.tranche.experiment.data;
  exports io.tranche.experiment.export;
  exports io.tranche.experiment.selection;
  exports io.tranche.experiment.training;
  exports io.tranche.experiment.tuning;
  exports io.tranche.experiment.work;

  uses io.tranche.experiment.work.ClusterStarter;
  uses io.tranche.experiment.work.JobKind;
  uses io.tranche.experiment.work.RemoteFiles;
  uses io.tranche.experiment.work.WorkplaceProvider;

  provides io.tranche.experiment.work.JobKind with
      io.tranche.experiment.backtest.BacktestKind,
      io.tranche.experiment.data.FeaturesKind,
      io.tranche.experiment.data.OrdersKind,
      io.tranche.experiment.training.GradientKind,
      io.tranche.experiment.training.RolloutKind,
      io.tranche.experiment.tuning.TrialKind;
}
