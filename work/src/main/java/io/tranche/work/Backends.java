package io.tranche.work;

import io.tranche.config.ConfigException;
import java.util.ServiceLoader;

/// Finds backends by their addresses.
public final class Backends {

  /// The address of this process.
  public static final String LOCAL = "local";

  private Backends() {}

  /// Opens a backend.
  ///
  /// @param address [#LOCAL], or what an installed provider serves
  /// @throws ConfigException if no provider serves it, or nothing answers at the address
  public static JobBackend open(String address, BackendSettings settings) {
    if (address.equals(LOCAL)) {
      return new LocalBackend(settings.threads());
    }
    for (BackendProvider provider : ServiceLoader.load(BackendProvider.class)) {
      if (provider.serves(address)) {
        return provider.open(address, settings);
      }
    }
    throw new ConfigException(
        "--on", "local, spark://HOST:PORT, k8s://ADDRESS or yarn, with the jars for it", address);
  }

  /// Returns the starter of clusters on this machine.
  ///
  /// @throws ConfigException if none is installed
  public static ClusterStarter clusterStarter() {
    return ServiceLoader.load(ClusterStarter.class)
        .findFirst()
        .orElseThrow(() -> new ConfigException("cluster", "the jars of a cluster engine", "none"));
  }

  /// Returns a kind of job.
  ///
  /// @throws WorkException if it is not installed here
  public static JobKind kind(String name) {
    for (JobKind kind : ServiceLoader.load(JobKind.class)) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    throw new WorkException("no installed kind of job is called '%s'".formatted(name));
  }
}
