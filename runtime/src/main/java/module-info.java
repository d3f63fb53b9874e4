/// Model bundles, and decisions in microseconds: the part that a trading desk embeds.
module io.tranche.runtime {
  requires transitive io.tranche.execution;
  requires transitive io.tranche.policy;
  requires static transitive org.jspecify;

  exports io.tranche.runtime;
  exports io.tranche.runtime.onnx;
}
