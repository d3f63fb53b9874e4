/// A training run as one typed value, read from YAML, put together and trained.
module io.tranche.run {
  requires transitive io.tranche.execution;
  requires transitive io.tranche.trainer;
  requires static transitive org.jspecify;

  exports io.tranche.run;
  exports io.tranche.run.play;
  exports io.tranche.run.reference;
}
