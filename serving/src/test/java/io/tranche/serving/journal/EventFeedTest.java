package io.tranche.serving.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Request;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What readers of events see.
class EventFeedTest {

  private static void add(EventFeed feed, long sequence) {
    feed.add(
        1, sequence, 0, "", new Event.Switched(new Request.Switch(Request.Scope.ALL, null, true)));
  }

  /// An entry of which every part tells its number.
  private static JournalHistory.Entry entry(long number) {
    var scope = new Request.Switch(Request.Scope.ACCOUNT, "account " + number, true);
    String caller = "caller " + number;
    return JournalHistory.Entry.of(
        number / 100, 2 * number, 1_000 + number, caller, new Event.Switched(scope));
  }

  private static List<Long> after(EventFeed feed, long sequence) {
    return Objects.requireNonNull(feed.after(sequence, 1000)).stream()
        .map(JournalHistory.Entry::sequence)
        .toList();
  }

  @Test
  void onlyDurableEventsAreSeen() {
    var feed = new EventFeed(1000);
    var woken = new AtomicInteger();
    feed.listen(woken::incrementAndGet);
    add(feed, 2);
    add(feed, 3);

    assertThat(after(feed, 0)).isEmpty();
    feed.advance(2);
    assertThat(after(feed, 0)).containsExactly(2L);
    assertThat(after(feed, 2)).isEmpty();
    feed.advance(3);
    assertThat(after(feed, 2)).containsExactly(3L);
    assertThat(woken).hasValue(2);
  }

  /// Before the ring grows, after it grew once and twice, and after old entries were overwritten.
  @ParameterizedTest
  @ValueSource(ints = {256, 257, 513, 600, 601, 2000})
  void everyPartOfAnEntryIsKept(int count) {
    var feed = new EventFeed(600);
    List<JournalHistory.Entry> added =
        LongStream.rangeClosed(1, count).mapToObj(EventFeedTest::entry).toList();
    for (int i = 0; i < count; i++) {
      JournalHistory.Entry each = added.get(i);
      feed.add(each.segment(), each.sequence(), 1_001 + i, each.caller(), each.event());
    }
    feed.advance(2L * count);

    assertThat(feed.after(feed.floor(), count))
        .isEqualTo(added.subList(Math.max(0, count - 600), count));
  }

  @Test
  void olderOnesAreForgottenAndSaidToBe() {
    var feed = new EventFeed(600);
    for (long i = 1; i <= 2000; i++) {
      add(feed, 2 * i); // with gaps
      feed.advance(2 * i);
    }

    assertThat(feed.floor()).isEqualTo(2800);
    assertThat(feed.after(2799, 10)).isNull();
    assertThat(after(feed, 2800)).hasSize(600).startsWith(2802L).endsWith(4000L);
    assertThat(after(feed, 3999)).containsExactly(4000L);
    feed.startAfter(5000);
    assertThat(feed.after(4999, 10)).isNull();
    assertThat(after(feed, 5000)).isEmpty();
  }
}
