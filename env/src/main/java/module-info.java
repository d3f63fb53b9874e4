/// The RL core: contracts, environments, queues and logs. Knows nothing about orders.
module io.tranche.env {
  requires java.net.http;
  requires transitive io.tranche.config;
  requires static transitive org.jspecify;

  exports io.tranche.env;
  exports io.tranche.env.log;
  exports io.tranche.env.queue;
  exports io.tranche.env.space;
  exports io.tranche.env.vector;
}
