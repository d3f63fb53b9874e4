package io.tranche.work;

/// Opens workplaces that are not in this process. Found by [java.util.ServiceLoader] when its jars
/// are there.
public interface BackendProvider {

  /// Whether it understands an address such as `spark://host:7077`.
  boolean serves(String address);

  /// @throws io.tranche.config.ConfigException if nothing answers there, or something else does
  JobBackend open(String address, BackendSettings settings);
}
