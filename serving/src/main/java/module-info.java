/// The decision service around the runtime.
module io.tranche.serving {
  requires transitive io.tranche.runtime;
  requires java.management;
  requires transitive java.net.http;
  requires static transitive org.jspecify;
  requires HdrHistogram;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires tools.jackson.core;

  exports io.tranche.serving;
  exports io.tranche.serving.app;
  exports io.tranche.serving.client;
  exports io.tranche.serving.engine;
  exports io.tranche.serving.http;
  exports io.tranche.serving.journal;
  exports io.tranche.serving.predict;
  exports io.tranche.serving.risk;
}
