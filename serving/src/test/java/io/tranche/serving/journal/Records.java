package io.tranche.serving.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.serving.engine.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Checks journals without the code that recovers them.
public final class Records {

  private Records() {}

  /// Returns all events of a journal, in order.
  public static List<Event> events(Path journal) throws IOException {
    var events = new ArrayList<Event>();
    var files = new TreeMap<String, Path>();
    try (var list = Files.newDirectoryStream(journal, "*.journal")) {
      list.forEach(file -> files.put(file.getFileName().toString(), file));
    }
    for (Path file : files.values()) {
      long number = Long.parseLong(file.getFileName().toString().replace(".journal", ""));
      Segment segment = Segment.read(file, number, true, 0);
      if (segment != null) {
        segment.entries().forEach(entry -> events.add(entry.event()));
      }
    }
    return events;
  }

  /// Compares the service's answers with the sums of its journal: nothing doubled, invented or
  /// lost.
  public static void assertFaithful(TestService service, Path journal) {
    Map<String, Double> remaining = new HashMap<>();
    Map<String, Double> working = new HashMap<>();
    var steps = new HashSet<String>();
    try {
      for (Event event : events(journal)) {
        switch (event) {
          case Event.OrderOpened opened ->
              assertThat(remaining.put(opened.request().id(), opened.request().amount())).isNull();
          case Event.Decided(_, var child, _, _, _, _) -> {
            assertThat(steps.add(child.id() + " " + child.step())).isTrue();
            assertThat(child.volume()).isBetween(0.0, remaining.getOrDefault(child.id(), -1.0));
            working.put(child.id(), child.volume());
          }
          case Event.Filled(_, var fill, boolean isLate) -> {
            if (!isLate) {
              assertThat(fill.volume())
                  .isLessThanOrEqualTo(working.getOrDefault(fill.id(), 0.0) + 1e-6);
              working.merge(fill.id(), -fill.volume(), Double::sum);
            }
            remaining.merge(
                fill.id(), -fill.volume(), (left, change) -> Math.max(0, left + change));
            working.computeIfPresent(
                fill.id(), (id, left) -> Math.min(left, remaining.getOrDefault(id, 0.0)));
          }
          default -> {}
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    remaining.forEach(
        (id, left) -> assertThat(service.look(id).remaining()).isCloseTo(left, within(1e-6)));
  }
}
