package io.tranche.cluster;

import io.tranche.work.ClusterStarter;
import io.tranche.work.ClusterStarter.Cluster;
import io.tranche.work.WorkException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/// A real Spark master and workers as processes of this machine, on its loopback address.
///
/// They run from a folder that looks like an installation of Spark: `jars` links to those of our
/// own class path, `work` is where executors are. The folder is gone when the cluster is.
public final class LocalCluster implements Cluster {

  private static final int START_SECONDS = 60;
  private static final int END_SECONDS = 20;

  /// A master and a worker only pass messages on.
  private static final String NODE_HEAP = "-Xmx192m";

  private final Path home;
  private final ClusterStarter.Size size;
  private final Process master;
  private final List<Process> workers = new ArrayList<>();
  private String address = "";

  private LocalCluster(Path home, ClusterStarter.Size size) throws IOException {
    this.home = home;
    this.size = size;
    this.master = node(home, List.of(ClusterNode.MASTER, home.toString()));
  }

  /// Starts one for the command line.
  public static final class Starter implements ClusterStarter {

    @Override
    public Cluster start(int workers, Size size, Consumer<String> messages) {
      return LocalCluster.start(workers, size, messages);
    }
  }

  public static LocalCluster start(
      int workers, ClusterStarter.Size size, Consumer<String> messages) {
    Path home = Folders.temporary("tranche-cluster");
    LocalCluster cluster = null;
    try {
      install(home);
      cluster = new LocalCluster(home, size);
      cluster.address = cluster.awaitAddress();
      for (int i = 0; i < workers; i++) {
        cluster.workers.add(cluster.worker());
      }
      messages.accept(
          "a Spark %s master and %d workers of %d cores and %d MB are starting at "
                  .formatted(SparkSettings.version(), workers, size.cores(), size.megabytes())
              + cluster.address);
      return cluster;
    } catch (IOException e) {
      if (cluster != null) {
        cluster.close();
      }
      Folders.delete(home);
      throw new WorkException("the cluster cannot be started: " + e.getMessage(), e);
    }
  }

  private static void install(Path home) throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (Path jar : ShippedJars.sparkJars()) {
      Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
    }
    Files.writeString(
        Files.createDirectories(home.resolve("conf")).resolve("log4j2.properties"),
        """
        rootLogger.level = warn
        rootLogger.appenderRef.stderr.ref = stderr
        appender.stderr.type = Console
        appender.stderr.name = stderr
        appender.stderr.target = SYSTEM_ERR
        appender.stderr.layout.type = PatternLayout
        appender.stderr.layout.pattern = %d %p %c{1}: %m%n
        """);
  }

  private Process worker() throws IOException {
    var arguments = new ArrayList<>(List.of(ClusterNode.WORKER, "--host", ClusterNode.loopback()));
    arguments.addAll(List.of("--cores", Integer.toString(size.cores())));
    arguments.addAll(List.of("--memory", size.megabytes() + "m"));
    arguments.addAll(List.of("--work-dir", home.resolve("work").toString()));
    arguments.addAll(List.of("--webui-port", "0", address));
    return node(home, arguments);
  }

  private static Process node(Path home, List<String> arguments) throws IOException {
    String java = System.getProperty("java.home");
    var command = new ArrayList<String>();
    // Ctrl-C goes to the parent process, which stops what runs here in its own time.
    command.addAll(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
    command.add(Path.of(java, "bin", "java").toString());
    command.addAll(
        Stream.of(JavaModuleOptions.defaultModuleOptions().strip().split("\\s+", -1)).toList());
    command.addAll(List.of(NODE_HEAP, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-cp"));
    String conf = home.resolve("conf").toString();
    String jars = home.resolve("jars") + File.separator + "*";
    command.add(String.join(File.pathSeparator, conf, ownCode(), jars));
    command.add(ClusterNode.class.getName());
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).directory(home.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
    environment.put("JAVA_HOME", java);
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_CONF_DIR", conf);
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", ClusterNode.loopback());
    File log = home.resolve("log.txt").toFile();
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  /// Returns the jar or folder that has this class.
  private static String ownCode() {
    var location = LocalCluster.class.getProtectionDomain().getCodeSource().getLocation();
    return Path.of(java.net.URI.create(location.toString())).toString();
  }

  private String awaitAddress() throws IOException {
    Path file = ClusterNode.address(home);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.exists(file)) {
      if (!master.isAlive() || System.nanoTime() > end) {
        throw new IOException(
            "its master did not come up: " + Files.readString(home.resolve("log.txt")).strip());
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    return Files.readString(file);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public Map<String, String> options() {
    // It is there for sure: what takes long here is a busy machine.
    String memory = size.megabytes() + "m";
    String patience = "300s";
    return Map.of(
        "spark.executor.memory", memory, Patience.MASTER, patience, Patience.EXECUTORS, patience);
  }

  /// Returns the workers, for tests that lose one.
  List<Process> workers() {
    return List.copyOf(workers);
  }

  @Override
  public void close() {
    // Workers first: they end their executors. The master's end deletes the folder as well.
    workers.forEach(LocalCluster::end);
    end(master);
    Folders.delete(home);
  }

  private static void end(Process process) {
    try {
      process.getOutputStream().close(); // what it waits for
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException _) {
      process.destroyForcibly();
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
