/// The training loop around an algorithm, its callbacks, and checkpoints.
module io.tranche.trainer {
  requires transitive io.tranche.policy;
  requires static transitive org.jspecify;
  requires java.management;

  exports io.tranche.trainer;
  exports io.tranche.trainer.callback;
  exports io.tranche.trainer.catalog;
  exports io.tranche.trainer.checkpoint;
  exports io.tranche.trainer.rollout;
}
