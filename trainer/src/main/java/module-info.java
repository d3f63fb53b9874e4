/// The training loop around an algorithm, its callbacks, and checkpoints.
module io.tranche.trainer {
  requires transitive io.tranche.policy;
  requires static transitive org.jspecify;
  requires tools.jackson.core;

  exports io.tranche.trainer;
  exports io.tranche.trainer.checkpoint;
}
