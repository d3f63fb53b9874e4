/// The training loop around an algorithm, its callbacks, and checkpoints.
@SuppressWarnings("module") // those that may use rollouts are built later
module io.tranche.trainer {
  requires transitive io.tranche.policy;
  requires static transitive org.jspecify;
  requires java.management;

  exports io.tranche.trainer;
  exports io.tranche.trainer.callback;
  exports io.tranche.trainer.catalog;
  exports io.tranche.trainer.checkpoint;
  exports io.tranche.trainer.rollout to
      io.tranche.run,
      io.tranche.work;
}
