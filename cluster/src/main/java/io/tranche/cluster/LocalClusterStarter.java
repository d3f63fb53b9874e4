package io.tranche.cluster;

import io.tranche.work.ClusterStarter;
import java.util.function.Consumer;

/// Starts a [LocalCluster].
public final class LocalClusterStarter implements ClusterStarter {

  @Override
  public Cluster start(int workers, Size size, Consumer<String> messages) {
    return LocalCluster.start(workers, size, messages);
  }
}
