/// Files and folders that become visible only when complete, locks, archives and hashes.
module io.tranche.files {
  requires static transitive org.jspecify;
  requires tools.jackson.core;

  exports io.tranche.files;
}
