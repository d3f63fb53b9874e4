package io.tranche.cluster;

import io.tranche.config.ConfigException;
import io.tranche.work.BackendProvider;
import io.tranche.work.BackendSettings;
import io.tranche.work.JobBackend;
import java.util.regex.Pattern;

/// Work on a Spark cluster: one of its own masters, Kubernetes or YARN. `spark-local[N]` is Spark
/// with `N` threads in this process, to try things out.
public final class SparkProvider implements BackendProvider {

  private static final Pattern SERVED =
      Pattern.compile("(spark|k8s)://.+|yarn|spark-local\\[\\d+]");

  @Override
  public boolean serves(String address) {
    return SERVED.matcher(address).matches();
  }

  @Override
  public JobBackend open(String address, BackendSettings settings) {
    if (address.startsWith(Masters.SCHEME)) {
      Masters.requireReachable(address);
    }
    ShippedJars jars =
        SparkSettings.isInThisProcess(address)
            ? ShippedJars.of(settings.plugins())
            : ShippedJars.ofClassPath(settings.plugins());
    try {
      return SparkBackend.start(address, settings, jars);
    } catch (ConfigException e) {
      jars.close();
      throw e;
    }
  }
}
