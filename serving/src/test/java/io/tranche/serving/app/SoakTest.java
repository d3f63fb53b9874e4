package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tranche.config.ConfigFiles;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.serving.Answer;
import io.tranche.serving.Counters;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.TestModels;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.engine.TestService;
import io.tranche.testkit.Cases;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many days of everything that a desk asks must not make the service's memory grow. The benchmark
/// `tranche bench soak` sends a million requests.
class SoakTest {

  private static final List<String> INSTRUMENTS = List.of("A", "B", "C", "D");
  private static final int TICKS = 240;

  /// Each has a few thousand requests.
  private static final int DAYS = Cases.count(5, 100);

  /// Allowed noise: as much as 5,000 requests that leave two hundred bytes each.
  private static final long MANY_BYTES = 1 << 20;

  /// One map entry of sixty bytes for each of them would be above the noise.
  private static final int CONNECTIONS = Cases.count(8_000, 40_000);

  private static final long FEW_BYTES = 256 << 10;

  @TempDir Path folder;

  private int requests;

  @Test
  void memoryThreadsAndFilesStayTheSame() throws Exception {
    Path models = Files.createDirectories(folder.resolve("models"));
    TestModels.write(models, "demo@1", 1);
    var node =
        ConfigFiles.parse(
            "test",
            """
            journal: journal
            http: {port: 0, threads: 1}
            predict: {cache_entries: 8}
            engine: {limits: none}
            """);
    var config = DecisionServerConfig.of(List.of(models.resolve("demo@1.tranche")), node, folder);
    try (var server = DecisionServer.start(config, _ -> {});
        var client = new TrancheClient(URI.create(server.http().url()))) {
      fillMemory(client);
      for (int day = 0; day < DAYS; day++) {
        work(client, day);
      }
      long bytes = heapBytes();
      long threads = serviceThreads();
      int before = requests;

      for (int day = DAYS; day < 2 * DAYS; day++) {
        work(client, day);
      }

      assertThat(requests - before).isGreaterThanOrEqualTo(5_000);
      requireAtMost("bytes", bytes + MANY_BYTES, SoakTest::heapBytes);
      requireAtMost("threads", threads, SoakTest::serviceThreads);
      // One is written, and the one before it holds days that are still kept, however many days
      // there were.
      requireAtMost("files of the journal", 2, this::journalFiles);
      assertThat(client.orders(null).states())
          .hasSize(ServiceConfig.Bounds.DEFAULT.daysKept() * INSTRUMENTS.size());
      assertThat(server.engine().counters().fallbacks(Counters.Fallback.FAILED).sum()).isZero();
    }
  }

  @Test
  void connectionsThatComeAndGoLeaveNoHandles() throws Exception {
    assumeThat(Path.of("/proc/self/fd")).exists();
    Path models = Files.createDirectories(folder.resolve("models"));
    TestModels.write(models, "demo@1", 1);
    var node =
        ConfigFiles.parse("test", "{journal: journal, http: {port: 0}, engine: {limits: none}}");
    var config = DecisionServerConfig.of(List.of(models.resolve("demo@1.tranche")), node, folder);
    try (var server = DecisionServer.start(config, _ -> {})) {
      URI url = URI.create(server.http().url());
      comeAndGo(url, 50);
      long handles = settled(SoakTest::handles);

      comeAndGo(url, 100);

      // The machine may open a file or two of its own; a connection that leaks has one each.
      requireAtMost("handles", handles + 2, SoakTest::handles);
    }
  }

  @Test
  void connectionsThatComeAndGoLeaveNoMemory() throws Exception {
    Path models = Files.createDirectories(folder.resolve("models"));
    TestModels.write(models, "demo@1", 1);
    var node =
        ConfigFiles.parse(
            "test", "{journal: journal, http: {port: 0, threads: 1}, engine: {limits: none}}");
    var config = DecisionServerConfig.of(List.of(models.resolve("demo@1.tranche")), node, folder);
    try (var server = DecisionServer.start(config, _ -> {})) {
      InetSocketAddress address = server.http().address();
      connect(address, CONNECTIONS / 4);
      long bytes = settled(SoakTest::heapBytes);

      connect(address, CONNECTIONS);

      requireAtMost("bytes", bytes + FEW_BYTES, SoakTest::heapBytes);
    }
  }

  /// Asks once on each of many connections, which end in every way: by the client, by a reset, in
  /// the middle of a request, and before the first byte.
  private static void connect(InetSocketAddress address, int times) throws IOException {
    byte[] request =
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    byte[] answer = new byte[4096];
    for (int i = 0; i < times; i++) {
      try (var socket = new Socket(address.getAddress(), address.getPort())) {
        socket.setSoLinger(i % 4 != 0, 0);
        if (i % 16 == 1) {
          continue;
        }
        boolean isWhole = i % 16 != 2;
        socket.getOutputStream().write(request, 0, isWhole ? request.length : 20);
        if (isWhole) {
          assertThat(socket.getInputStream().read(answer)).isPositive();
        }
      }
    }
  }

  private static void comeAndGo(URI url, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      try (var client = new TrancheClient(url)) {
        assertThat(client.isReady()).isTrue();
      }
    }
  }

  /// A model caches this many days.
  private static void fillMemory(TrancheClient client) throws Exception {
    for (int i = 0; i < 6; i++) {
      var observations = new ArrayList<FullHistoryObservation>();
      for (int j = 0; j < 100; j++) {
        observations.add(DecisionServerTest.observation(-100 * i - j));
      }
      assertThat(client.predict(null, observations, 60_000_000L)).hasSize(100);
    }
  }

  /// One day of every instrument: one order each, all bars, eight decisions and their fills.
  private void work(TrancheClient client, int number) throws Exception {
    LocalDate date = TestService.DATE.plusDays(number);
    for (String instrument : INSTRUMENTS) {
      client.openOrder(
          TestService.on(date, TestService.order(id(instrument, number), instrument, 1_000)));
      requests++;
    }
    for (int tick = 0; tick < TICKS; tick++) {
      if (tick % 30 == 0) {
        decide(client, number, tick / 30);
        client.predict(
            null, List.of(DecisionServerTest.observation(1_000L * number + tick)), 60_000_000L);
        requests++;
      }
      var bars = new ArrayList<Request>();
      for (String instrument : INSTRUMENTS) {
        bars.add(TestService.on(date, TestService.bar(instrument, tick)));
      }
      assertThat(client.exchange(bars)).noneMatch(Answer.Refused.class::isInstance);
      requests += bars.size();
    }
  }

  private void decide(TrancheClient client, int number, int step) throws Exception {
    for (String instrument : INSTRUMENTS) {
      String id = id(instrument, number);
      Answer.Child child = client.decide(new Request.Decide(id, step, null));
      requests++;
      if (child.volume() > 0) {
        client.fill(new Request.Fill(id, "f" + step, child.volume() / 16, 10));
        requests++;
      }
    }
  }

  private static String id(String instrument, int day) {
    return instrument + day;
  }

  /// Waits until a number no longer falls, and returns it.
  private static long settled(LongSupplier value) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    long least = value.getAsLong();
    for (int still = 0; still < 10 && System.nanoTime() < end; still++) {
      TimeUnit.MILLISECONDS.sleep(100);
      long now = value.getAsLong();
      if (now < least) {
        least = now;
        still = 0;
      }
    }
    return least;
  }

  /// Waits, because threads end, garbage is collected and files are deleted a moment after the
  /// answers.
  private static void requireAtMost(String what, long most, LongSupplier value)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (value.getAsLong() > most && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(value.getAsLong()).as(what).isLessThanOrEqualTo(most);
  }

  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long serviceThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().matches("(http|model|predict|journal|deadline).*"))
        .count();
  }

  private long journalFiles() {
    String[] files =
        folder.resolve("journal").toFile().list((_, name) -> name.endsWith(".journal"));
    return files == null ? 0 : files.length;
  }

  private static long handles() {
    return count(Path.of("/proc/self/fd"));
  }

  private static long count(Path folder) {
    try (Stream<Path> each = Files.list(folder)) {
      return each.count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
