package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.TestModels;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repeating a request changes nothing, immediately or after a restart.
class RepetitionTest {

  private static final String NEXT = "demo@2";

  private static final String IS_OFF =
      "Done\\[message=instrument B is off(; child orders follow)?(; the journal follows)?\\]";

  @TempDir Path folder;

  private static List<Request> requests() {
    var yesterday = TestService.DATE.minusDays(1);
    var earlier =
        new Request.EarlierDay(
            yesterday,
            List.of(
                new Request.Bar(
                    "A",
                    yesterday,
                    yesterday.atTime(9, 30),
                    List.of("close_1", "volume_1"),
                    List.of(1f, 1f))));
    return List.of(
        new Request.Load(NEXT),
        new Request.SetRoute(new Route(TestService.MODEL, NEXT, 0.5, List.of())),
        new Request.OpenDay("A", TestService.DATE, List.of(earlier)),
        TestService.order("a", "A", 800, TestService.MODEL),
        TestService.order("b", "B", 800),
        TestService.bar("A", 0),
        TestService.bar("A", 30),
        new Request.Decide("a", 1, TestService.PATIENT),
        new Request.Decide("b", 0, TestService.PATIENT),
        TestService.bar("A", 239),
        new Request.Cancel("b"),
        new Request.Switch(Request.Scope.INSTRUMENT, "B", true));
  }

  private static List<Object> standing(TestService service) {
    var all = new ArrayList<>();
    all.add(service.look("a"));
    all.add(service.look("b"));
    all.add(service.engine.switchedOff());
    all.add(service.engine.route());
    all.add(service.engine.models());
    return all;
  }

  private long dayEvents() throws IOException {
    return Records.events(folder.resolve("journal")).stream()
        .filter(Event.OfDay.class::isInstance)
        .count();
  }

  @Test
  void nothingHappensTwice() throws IOException {
    Files.createDirectories(folder.resolve("models"));
    TestModels.write(folder.resolve("models"), NEXT, 2);
    var requests = new ArrayList<>(requests());
    long events;
    List<Object> before;
    try (var service = TestService.open(folder)) {
      for (Request request : requests) {
        Answer first = service.ask(request);
        assertThat(first).isNotInstanceOf(Answer.Refused.class);
        Answer again = service.ask(request);
        if (request instanceof Request.Switch) {
          // On a busy machine either answer may add what is still to be done.
          assertThat(List.of(first, again))
              .allSatisfy(each -> assertThat(each).asString().matches(IS_OFF));
        } else if (!(request instanceof Request.Bar)) {
          assertThat(again).isEqualTo(first);
        }
      }
      double volume = ((Answer.Child) service.ask(new Request.Decide("a", 1, null))).volume();
      if (volume > 0) {
        var fill = new Request.Fill("a", "f", 1, volume, 10);
        requests.add(fill);
        assertThat(service.ask(fill)).isEqualTo(service.ask(fill));
      }
      before = standing(service);
      events = dayEvents();
    }
    for (int life = 0; life < 2; life++) {
      try (var service = TestService.open(folder)) {
        for (Request request : requests) {
          assertThat(service.ask(request)).isNotInstanceOf(Answer.Refused.class);
        }

        assertThat(standing(service)).isEqualTo(before);
        assertThat(dayEvents()).isEqualTo(events);
      }
    }
    try (var service = TestService.open(folder)) {
      var end = new Request.EndDays(null, TestService.DATE);
      service.done(end);
      service.done(end);
      assertThat(service.engine.openOrders()).isZero();
    }
    try (var service = TestService.open(folder)) {
      service.done(new Request.EndDays(null, TestService.DATE));
      assertThat(service.engine.openOrders()).isZero();
      service.done(new Request.SetRoute(Route.to(TestService.MODEL)));
      service.done(new Request.Unload(NEXT));
    }
  }
}
