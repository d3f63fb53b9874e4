/// Networks, the algorithms that improve them, buffers and weight files.
module io.tranche.policy {
  requires transitive io.tranche.env;
  requires transitive io.tranche.files;
  requires transitive io.tranche.market;
  requires transitive io.tranche.tensor;
  requires static transitive org.jspecify;
  requires tools.jackson.core;

  exports io.tranche.policy.agent;
  exports io.tranche.policy.catalog;
  exports io.tranche.policy.dqn;
  exports io.tranche.policy.experience;
  exports io.tranche.policy.learn;
  exports io.tranche.policy.network;
  exports io.tranche.policy.state;
  exports io.tranche.policy.ppo;
  exports io.tranche.policy.sac;
  exports io.tranche.policy.weights;
}
