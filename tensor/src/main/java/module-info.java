/// Float kernels, layers with hand-derived backward passes, Adam. Uses nothing of ours.
module io.tranche.tensor {
  requires static jdk.incubator.vector;
  requires static transitive org.jspecify;

  exports io.tranche.tensor;
  exports io.tranche.tensor.layer;
}
