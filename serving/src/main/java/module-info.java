/// The decision service around the runtime.
module io.tranche.serving {
  requires transitive io.tranche.runtime;
  requires static transitive org.jspecify;

  exports io.tranche.serving;
}
