package io.tranche.work;

import java.util.Map;
import java.util.function.Consumer;

/// Starts clusters on this machine, for trying things out and for tests. Found by
/// [java.util.ServiceLoader] when its jars are there.
public interface ClusterStarter {

  /// @param size of each of `workers`
  /// @param messages hears, in one line each, what a user would want to know
  /// @throws WorkException if it does not come up
  Cluster start(int workers, Size size, Consumer<String> messages);

  /// How large a worker is.
  record Size(int cores, int megabytes) {}

  /// A cluster of processes that end with this one, however that ends.
  interface Cluster extends AutoCloseable {

    /// Returns the address that a [BackendProvider] serves.
    String address();

    /// Returns the options of the engine that make use of all of it.
    Map<String, String> options();

    @Override
    void close();
  }
}
