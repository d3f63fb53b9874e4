package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.Records;
import io.tranche.testkit.Cases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many clients work on the same orders, with deadlines that models often miss.
class ConcurrencyTest {

  private static final int CLIENTS = 6;
  private static final int REQUESTS = Cases.count(1_500, 100_000);

  @TempDir Path folder;

  private final Map<String, Answer.Child> children = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @Test
  void everybodySeesTheSameChildren() throws Exception {
    try (var service = TestService.open(folder)) {
      var clients = new ArrayList<Thread>();
      for (int i = 0; i < CLIENTS; i++) {
        long seed = i;
        clients.add(Thread.ofPlatform().start(() -> work(service, new SplittableRandom(seed))));
      }
      for (Thread client : clients) {
        client.join();
      }

      assertThat(failures).isEmpty();
      assertThat(children).hasSizeGreaterThan(20);
      Records.assertFaithful(service, folder.resolve("journal"));
    }
    try (var service = TestService.open(folder)) {
      children.forEach(
          (_, child) ->
              assertThat(service.ask(new Request.Decide(child.id(), child.step(), null)))
                  .isEqualTo(child));
      Records.assertFaithful(service, folder.resolve("journal"));
    }
  }

  private void work(TestService service, SplittableRandom random) {
    try {
      for (int i = 0; i < REQUESTS; i++) {
        String instrument = List.of("A", "B", "C").get(random.nextInt(3));
        String id = instrument + random.nextInt(5);
        // Fills come over the whole day, or every order would be filled at its first step.
        int fills = 1 + i * 50 / REQUESTS;
        Request request =
            switch (random.nextInt(8)) {
              case 0 -> TestService.order(id, instrument, 1_000);
              case 1 -> TestService.bar(instrument, Math.min(230, i * 230 / REQUESTS));
              case 2 ->
                  random.nextBoolean()
                      ? new Request.Fill(id, "f" + random.nextInt(fills), random.nextInt(1, 30), 10)
                      : new Request.Fill(
                          id,
                          "s" + random.nextInt(fills),
                          random.nextInt(8),
                          random.nextInt(1, 30),
                          10);
              case 3 -> new Request.Look(id);
              default -> new Request.Decide(id, null, random.nextBoolean() ? 50L : 500_000L);
            };
        if (service.ask(request) instanceof Answer.Child child) {
          Answer.Child before = children.putIfAbsent(id + " " + child.step(), child);
          assertThat(before == null || before.equals(child)).isTrue();
        }
      }
    } catch (RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }
}
