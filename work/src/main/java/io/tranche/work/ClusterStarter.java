package io.tranche.work;

import java.util.Map;
import java.util.function.Consumer;

/// Starts clusters on this machine, for experiments and tests. Found by [java.util.ServiceLoader]
/// when its jars are installed.
public interface ClusterStarter {

  /// @param size of each of `workers`
  /// @param messages receives lines for the user
  /// @throws WorkException if the cluster does not start
  Cluster start(int workers, Size size, Consumer<String> messages);

  /// The size of a worker.
  record Size(int cores, int megabytes) {}

  /// A cluster of processes that end with this process, even if it is killed.
  interface Cluster extends AutoCloseable {

    /// Returns the address that a [BackendProvider] serves.
    String address();

    /// Returns the engine options with which a job uses the whole cluster.
    Map<String, String> options();

    @Override
    void close();
  }
}
