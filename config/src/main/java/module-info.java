/// Configuration: YAML trees, binding and names.
module io.tranche.config {
  requires org.snakeyaml.engine;
  requires static transitive org.jspecify;

  exports io.tranche.config;

  uses io.tranche.config.ComponentProvider;
}
