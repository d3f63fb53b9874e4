package io.tranche.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {

  private static final long MILLIS = 1_000_000;

  /// Requests whose content is their number, on four lanes; the answer must repeat it.
  private static final class Numbers implements Requests {
    @Override
    public int lane(long number) {
      return (int) (number % 4);
    }

    @Override
    public void write(long number, ByteBuffer to) {
      byte[] content = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
      to.put(HttpBytes.post("/", "text/plain", content));
    }

    @Override
    public Verdict judge(long number, int status, ByteBuffer body) {
      String text = StandardCharsets.US_ASCII.decode(body).toString();
      if (status == 200 && text.equals("rule")) {
        return Verdict.FALLBACK;
      }
      return status == 200 && text.equals(Long.toString(number)) ? Verdict.RIGHT : Verdict.WRONG;
    }
  }

  private static LoadResult run(LineServer server, int connections, int count, double rate)
      throws IOException {
    try (var generator = new LoadGenerator(List.of(server.address()), connections, 60_000)) {
      return generator.run(new Numbers(), 100, rate, Arrivals.CONSTANT.times(count, rate, 1));
    }
  }

  @Test
  void everyRequestIsSentOnceAndItsAnswerIsItsOwn() throws IOException {
    var seen = ConcurrentHashMap.<String>newKeySet();
    try (var server =
        new LineServer(
            false,
            content -> {
              assertThat(seen.add(content)).isTrue();
              return LineServer.ok(content);
            })) {

      LoadResult result = run(server, 3, 2_000, 10_000);

      assertThat(result.right()).isEqualTo(2_000);
      assertThat(result.failedShare()).isZero();
      assertThat(result.latency().getTotalCount()).isEqualTo(2_000);
      assertThat(result.lateness().getTotalCount()).isEqualTo(2_000);
      assertThat(seen).hasSize(2_000).contains("100", "2099");
    }
  }

  @Test
  void answersMayComeInAnyPieces() throws IOException {
    try (var server = new LineServer(true, LineServer::ok)) {

      assertThat(run(server, 2, 50, 1_000).right()).isEqualTo(50);
    }
  }

  @Test
  void refusalsAndRulesAreCountedApart() throws IOException {
    try (var server =
        new LineServer(
            false,
            content ->
                switch (Integer.parseInt(content) % 4) {
                  case 0 -> "HTTP/1.1 429 Too Many\r\ncontent-length: 4\r\n\r\nnope";
                  case 1 -> LineServer.ok("rule");
                  case 2 -> "HTTP/1.1 204 No Content\r\n\r\n";
                  default -> LineServer.ok(content);
                })) {

      LoadResult result = run(server, 1, 400, 4_000);

      assertThat(result.wrong()).isEqualTo(200);
      assertThat(result.fallbacks()).isEqualTo(100);
      assertThat(result.right()).isEqualTo(100);
      assertThat(result.failedShare()).isEqualTo(0.75);
    }
  }

  /// A client that waited for each answer would have one slow request in a thousand.
  @Test
  void aStallShowsInAllRequestsThatWereDueMeanwhile() throws IOException {
    try (var server =
        new LineServer(
            false,
            content -> {
              if (content.equals("400")) {
                TimeUnit.SECONDS.sleep(1);
              }
              return LineServer.ok(content);
            })) {

      LoadResult result = run(server, 1, 1_000, 1_000);

      assertThat(result.right()).isEqualTo(1_000);
      assertThat(result.millis(99)).isGreaterThan(950);
      assertThat(result.millis(50)).isGreaterThan(300);
      assertThat(result.latency().getCountBetweenValues(250 * MILLIS, Long.MAX_VALUE / 2))
          .isGreaterThanOrEqualTo(700);
    }
  }

  @Test
  void otherConnectionsDoNotWaitForOneThatStalls() throws IOException {
    var answered = new AtomicInteger();
    try (var server =
        new LineServer(
            false,
            content -> {
              // Three of four lanes must have had all their answers by then, or this never ends.
              while (content.equals("100") && answered.get() < 150) {
                TimeUnit.MILLISECONDS.sleep(1);
              }
              answered.incrementAndGet();
              return LineServer.ok(content);
            })) {

      assertThat(run(server, 4, 200, 2_000).right()).isEqualTo(200);
    }
  }

  @Test
  void whatIsNeverAnsweredCountsWithItsAge() throws IOException {
    try (var server =
            new LineServer(
                false, content -> Integer.parseInt(content) < 10 ? LineServer.ok(content) : "");
        var generator = new LoadGenerator(List.of(server.address()), 1, 200)) {
      var times = Arrivals.CONSTANT.times(20, 1_000, 1);

      LoadResult result = generator.run(new Numbers(), 0, 1_000, times);

      assertThat(result.right() + result.unanswered()).isEqualTo(20);
      assertThat(result.unanswered()).isGreaterThanOrEqualTo(10);
      assertThat(result.millis(99)).isGreaterThanOrEqualTo(200);
      assertThat(result.failedShare()).isGreaterThanOrEqualTo(0.5);
    }
  }

  @Test
  void aClosedRunHasOnlySoManyUnderWay() throws IOException {
    var arrived = new AtomicInteger();
    var answered = new AtomicInteger();
    try (var server =
            new LineServer(
                false,
                content -> {
                  // Each lane has at most one request that is worked on.
                  assertThat(arrived.incrementAndGet() - answered.get()).isLessThanOrEqualTo(2);
                  answered.incrementAndGet();
                  return LineServer.ok(content);
                });
        var generator = new LoadGenerator(List.of(server.address()), 4, 60_000)) {

      assertThat(generator.runClosed(new Numbers(), 0, 500, 2).right()).isEqualTo(500);
    }
  }

  @Test
  void aServerThatClosesItsConnectionsEndsTheRun() throws IOException {
    try (var server =
        new LineServer(
            false,
            content -> {
              throw new InterruptedException();
            })) {

      assertThatThrownBy(() -> run(server, 1, 10, 100))
          .satisfiesAnyOf(
              e -> assertThat(e).isInstanceOf(IOException.class),
              e ->
                  assertThat(e)
                      .isInstanceOf(UncheckedIOException.class)
                      .hasCauseInstanceOf(IOException.class),
              e -> assertThat(e).hasCauseInstanceOf(EOFException.class));
    }
  }
}
