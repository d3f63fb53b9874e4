package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.wire.RequestJson;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/// How long a service takes to switch everything off, over its kill port: at full load, while
/// models load at full load, and on a full disk. The time runs from the sending of the request to
/// the whole answer; the switch is in force before that. The service's own time, from the first
/// byte that it read to the answer that it wrote, is beside it: the load comes from the same
/// processors, so the client waits for them too. The first switch is shown by itself, because in
/// life there is only one; `missed` counts answers that came before all was done.
public final class KillBenchmark {

  private static final int INSTRUMENTS = 256;
  private static final int UNDER_WAY = 200;
  private static final int CONNECTIONS = 16;
  private static final String TOKEN = "a-token-of-the-benchmark";
  private static final long LONGEST_NANOS = 10_000_000_000L;

  /// How many bytes the full disk has.
  private static final int DISK_BYTES = 512 << 10;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "kill",
          "How fast is everything switched off, whatever else the service does?",
          """
          kill.load.first kill.load.missed kill.load.p50 kill.load.p99 kill.load.max
          kill.load.service.p50 kill.load.service.p99 kill.load.service.max
          kill.models.first kill.models.missed kill.models.p50 kill.models.p99 kill.models.max
          kill.models.service.p50 kill.models.service.p99 kill.models.service.max
          kill.models.loads
          kill.full_disk.first kill.full_disk.missed
          kill.full_disk.p50 kill.full_disk.p99 kill.full_disk.max
          kill.full_disk.service.p50 kill.full_disk.service.p99 kill.full_disk.service.max
          """,
          options -> new Run(options).figures());

  private KillBenchmark() {}

  private static final class Run {
    private final Options options;
    private final ServedBundle model;
    private final Path token;
    private final List<Figure> figures = new ArrayList<>();

    Run(Options options) throws IOException {
      this.options = options;
      this.model = new ServedBundle(options.work());
      this.token = Files.writeString(options.work().resolve("token"), TOKEN);
    }

    List<Figure> figures() throws IOException {
      Path journal = Files.createTempDirectory(options.work(), "journal");
      int port = freePort();
      List<String> command = ServerProcess.command(options, model, journal, settings(port, "none"));
      try (var load = new Load(options, model, ServerProcess.start(options, command));
          var kill = new Line(port)) {
        load.begin();
        switches("kill.load", kill);
        var isDone = new AtomicBoolean();
        var loads = CompletableFuture.supplyAsync(() -> loads(load.address(), isDone));
        switches("kill.models", kill);
        isDone.set(true);
        figures.add(new Figure("kill.models.loads", loads.join(), "loads"));
      }
      fullDisk();
      return figures;
    }

    private List<String> settings(int port, String limits) {
      return List.of(
          "engine.limits=" + limits, "http.kill_port=" + port, "http.token_file=" + token);
    }

    private static int freePort() throws IOException {
      try (var socket = new ServerSocket(0)) {
        return socket.getLocalPort();
      }
    }

    /// Loads another model and unloads it, again and again; returns how often.
    private int loads(InetSocketAddress address, AtomicBoolean isDone) {
      try (var admin = new Line(address.getPort())) {
        String other = "other@1";
        Files.copy(model.bundle, model.bundle.resolveSibling(other + ".tranche"));
        int count = 0;
        while (!isDone.get() || count == 0) {
          admin.ask(Line.post("/v1/admin/models/load", new Request.Load(other)));
          admin.ask(Line.post("/v1/admin/models/unload", new Request.Unload(other)));
          count++;
        }
        return count;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /// A file system of its own, which holds the journal and nothing more.
    private void fullDisk() throws IOException {
      Path journal = Files.createTempDirectory(options.work(), "full");
      int port = freePort();
      var command = new ArrayList<>(mounting(journal));
      command.addAll(ServerProcess.command(options, model, journal, settings(port, "none")));
      try (var server = ServerProcess.start(options, command);
          var desk = new Line(server.address().getPort());
          var kill = new Line(port)) {
        List<DeskDay.Asked> day = new DeskDay(model, false).requests("A", 0);
        var order = (Request.OpenOrder) day.getFirst().request();
        int opened = 0;
        while (desk.status("/v1/orders", named(order, opened)) == 200) {
          opened++;
        }
        options.printf("kill: the disk is full after %d orders%n", opened);
        switches("kill.full_disk", kill);
        if (desk.status("/v1/orders", named(order, opened)) != 503) {
          throw new IllegalStateException("the disk must be full, was not");
        }
      }
    }

    private static Request named(Request.OpenOrder order, int number) {
      return new Request.OpenOrder(
          "o" + number,
          order.instrument(),
          order.date(),
          order.side(),
          order.amount(),
          order.start(),
          order.end(),
          null);
    }

    /// Returns the beginning of a command whose journal soon finds no room: on a small file system,
    /// or where none can be mounted, with small files.
    private List<String> mounting(Path journal) throws IOException {
      String mount = "mount -t tmpfs -o size=%d none \"$0\" && exec \"$@\"".formatted(DISK_BYTES);
      var mounting = List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount);
      var tried = new ArrayList<>(mounting);
      tried.addAll(List.of(journal.toString(), "true"));
      if (Options.exitCode(new ProcessBuilder(tried).inheritIO().start()) != 0) {
        options.printf("kill: no file system can be mounted here, so files are limited%n");
        String limit = "ulimit -f %d && exec \"$@\"".formatted(DISK_BYTES / 512);
        return List.of("sh", "-c", limit, "sh");
      }
      return tried.subList(0, tried.size() - 1);
    }

    /// Switches everything off, again and again, and on in between.
    private void switches(String prefix, Line kill) throws IOException {
      var nanos = new Histogram(LONGEST_NANOS, 3);
      var own = new Histogram(LONGEST_NANOS, 3);
      // Written beforehand: the time is the service's, not that of our first JSON.
      byte[] off = Line.post("/v1/admin/switches", new Request.Switch(Scope.ALL, null, true));
      byte[] on = Line.post("/v1/admin/switches", new Request.Switch(Scope.ALL, null, false));
      int unfinished = 0;
      for (int i = 0; i < options.count(500, 5); i++) {
        long began = System.nanoTime();
        String answer = kill.ask(off);
        long took = System.nanoTime() - began;
        nanos.recordValue(Math.min(LONGEST_NANOS, took));
        if (i == 0) {
          figures.add(new Figure(prefix + ".first", took / 1e6, "ms"));
        }
        unfinished += answer.contains("follow") ? 1 : 0;
        own.recordValue(Math.min(LONGEST_NANOS, kill.serviceNanos()));
        if (!answer.contains("everything is off") || answer.contains("forget")) {
          throw new IllegalStateException("everything must be off, was: " + answer);
        }
        kill.ask(on);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20 + i % 17));
      }
      options.printf("%s: %d answers before all was done%n", prefix, unfinished);
      figures.add(new Figure(prefix + ".missed", unfinished, "answers"));
      add(prefix, nanos);
      add(prefix + ".service", own);
    }

    private void add(String prefix, Histogram nanos) {
      options.printf(
          "%s: p50 %.2f, p99 %.2f, max %.2f ms%n",
          prefix,
          nanos.getValueAtPercentile(50) / 1e6,
          nanos.getValueAtPercentile(99) / 1e6,
          nanos.getMaxValue() / 1e6);
      figures.add(new Figure(prefix + ".p50", nanos.getValueAtPercentile(50) / 1e6, "ms"));
      figures.add(new Figure(prefix + ".p99", nanos.getValueAtPercentile(99) / 1e6, "ms"));
      figures.add(new Figure(prefix + ".max", nanos.getMaxValue() / 1e6, "ms"));
    }
  }

  /// A desk that sends as fast as it is answered, on a thread of its own, until it is closed. Its
  /// answers are not judged: decisions are none while everything is off.
  private static final class Load implements AutoCloseable {
    private final Options options;
    private final ServerProcess server;
    private final DeskScript script;
    private final AtomicBoolean isDone = new AtomicBoolean();
    private final CompletableFuture<Long> sent = new CompletableFuture<>();
    private final CompletableFuture<Boolean> isBusy = new CompletableFuture<>();

    Load(Options options, ServedBundle model, ServerProcess server) {
      this.options = options;
      this.server = server;
      int instruments = options.count(INSTRUMENTS, 4);
      this.script =
          new DeskScript(new DeskDay(model, false), DeskScript.Form.COMPACT, instruments, 0);
    }

    InetSocketAddress address() {
      return server.address();
    }

    /// Returns when the service is warm.
    void begin() {
      Thread.ofPlatform().daemon().start(this::send);
      isBusy.join();
    }

    private void send() {
      int underWay = options.count(UNDER_WAY, 3);
      int warmUp = options.count(300_000, 100);
      try (var generator = new LoadGenerator(List.of(server.address()), CONNECTIONS, 10_000)) {
        generator.runClosed(script.prelude(), 0, script.preludeSize(), 12);
        generator.runClosed(script, 0, warmUp, underWay);
        isBusy.complete(true);
        long next = warmUp;
        long began = System.nanoTime();
        while (!isDone.get()) {
          generator.runClosed(script, next, underWay * 50, underWay);
          next += underWay * 50L;
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        options.printf("kill: %.0f requests per second meanwhile%n", (next - warmUp) / seconds);
        sent.complete(next);
      } catch (IOException | RuntimeException e) {
        isBusy.completeExceptionally(e);
        sent.completeExceptionally(e);
      }
    }

    @Override
    public void close() throws IOException {
      isDone.set(true);
      sent.join();
      server.close();
    }
  }

  /// A kept connection with one request at a time.
  private static final class Line implements AutoCloseable {
    private static final Pattern TIMING = Pattern.compile("server-timing: total;dur=([0-9.]+)");

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(1 << 16);

    Line(int port) throws IOException {
      channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /// Returns the content of the answer.
    ///
    /// @throws IOException if the request is refused
    String ask(byte[] request) throws IOException {
      int end = send(request);
      String text = StandardCharsets.UTF_8.decode(in.duplicate().position(end)).toString();
      if (HttpBytes.status(in) != 200) {
        throw new IOException("a request must be answered, was refused: " + text);
      }
      return text;
    }

    /// Returns a request as bytes.
    static byte[] post(String path, Request request) {
      String type = "application/json\r\nAuthorization: Bearer " + TOKEN;
      return HttpBytes.post(path, type, RequestJson.write(request));
    }

    /// Returns how long the service says that the newest answer took it.
    long serviceNanos() {
      Matcher timing = TIMING.matcher(StandardCharsets.ISO_8859_1.decode(in.duplicate()));
      if (!timing.find()) {
        throw new IllegalStateException("an answer must tell its time, did not");
      }
      return Math.round(1e6 * Double.parseDouble(timing.group(1)));
    }

    int status(String path, Request request) throws IOException {
      send(post(path, request));
      return HttpBytes.status(in);
    }

    /// Returns where the content of the answer begins.
    private int send(byte[] request) throws IOException {
      var out = ByteBuffer.wrap(request);
      while (out.hasRemaining()) {
        channel.write(out);
      }
      in.clear();
      while (true) {
        if (channel.read(in) < 0) {
          throw new EOFException("the server closed a connection");
        }
        ByteBuffer got = in.duplicate().flip();
        int end = HttpBytes.headEnd(got);
        if (end >= 0 && got.limit() - end >= HttpBytes.contentLength(got, end)) {
          in.flip();
          return end;
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
