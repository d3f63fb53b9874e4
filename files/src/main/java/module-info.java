/// Files and folders that become visible only when complete, locks, archives and hashes.
module io.tranche.files {
  requires static transitive org.jspecify;

  exports io.tranche.files;
}
