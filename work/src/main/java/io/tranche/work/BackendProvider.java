package io.tranche.work;

/// Opens backends outside this process. Found by [java.util.ServiceLoader] when its jars are
/// installed.
public interface BackendProvider {

  /// Whether it understands an address such as `spark://host:7077`.
  boolean serves(String address);

  /// @throws io.tranche.config.ConfigException if no cluster answers at the address
  JobBackend open(String address, BackendSettings settings);
}
