package io.tranche.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;

/// The main class of a process of a [LocalCluster]: Spark's own master or worker, which ends when
/// the process that started it does, even if that was killed.
public final class ClusterNode {

  static final String MASTER = "master";
  static final String WORKER = "worker";

  private ClusterNode() {}

  /// @param arguments [#MASTER] and the cluster's folder, or [#WORKER] and those of Spark's worker
  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals(MASTER)) {
      Path home = Path.of(arguments[1]);
      endWithParent(() -> Folders.delete(home));
      RpcEnv master = Master.startRpcEnvAndEndpoint(loopback(), 0, 0, new SparkConf())._1();
      Path pending = home.resolve("address.tmp");
      Files.writeString(pending, Masters.SCHEME + master.address().hostPort());
      Files.move(pending, address(home), StandardCopyOption.ATOMIC_MOVE);
      master.awaitTermination();
    } else {
      endWithParent(() -> {});
      Worker.main(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
  }

  /// Returns the address of this machine's own network.
  static String loopback() {
    return InetAddress.getLoopbackAddress().getHostAddress();
  }

  /// Returns the file where the master says how it is called.
  static Path address(Path home) {
    return home.resolve("address");
  }

  /// Nothing ever comes from the parent: what comes is its end.
  private static void endWithParent(Runnable after) {
    Runnable wait =
        () -> {
          try {
            while (System.in.read() >= 0) {
              // Nobody means anything by it.
            }
          } catch (IOException _) {
            // As good as its end.
          }
          after.run();
          System.exit(0);
        };
    Thread.ofPlatform().daemon().name("tranche-parent").start(wait);
  }
}
