package io.tranche.serving.engine;

import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.TestModels;
import java.nio.file.Path;
import java.util.List;

/// Writes a journal with every kind of event and open orders, in the format of this version. When
/// the format changes, run it with the old version first, and keep its files as
/// `io/tranche/serving/journal/version-N` for [CompatibilityTest].
final class FixtureJournal {

  private FixtureJournal() {}

  static ServiceConfig config(ServiceConfig base) {
    return base.withCancelsAwaited(true)
        .withBounds(base.bounds().withJournal(4_000, base.bounds().maxWaiting()));
  }

  /// @param args a folder; the journal is in its folder `journal`
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    try (var service = TestService.open(folder, FixtureJournal::config, EngineParts.REAL)) {
      TestModels.write(folder.resolve("models"), "demo@2", 2);
      service.done(new Request.Load("demo@2"));
      service.done(new Request.Unload("demo@2"));
      service.done(new Request.SetLimits(Scope.ALL, null, RiskLimits.of(Limit.SLICE_SHARE, 0.5)));
      service.done(new Request.Heartbeat("desk", 86_400));
      var before = TestService.DATE.minusDays(1);
      service.ask(
          new Request.OpenDay(
              "C",
              TestService.DATE,
              List.of(
                  new Request.EarlierDay(
                      before, List.of(TestService.on(before, TestService.bar("C", 0)))))));
      service.ask(new Request.OpenDay("A", TestService.DATE, List.of()));
      service.done(new Request.Reference("A", TestService.DATE, 10));
      service.state(order("a", "A", 1_000, "desk", null));
      service.state(order("b", "A", 500, null, null));
      service.state(order("c", "B", 300, "desk", null));
      Answer.Child child = service.decide("a");
      service.bars("A", 0, 35);
      service.state(new Request.Report("a", 0, Phase.WORKING));
      service.state(new Request.Fill("a", "f", 0, Math.max(1, child.volume() / 2), 10));
      service.state(new Request.Report("a", 0, Phase.DONE));
      service.decide("a");
      service.state(new Request.Amend("a", 1_200.0, null));
      service.state(new Request.Fill("a", "g", 0, 2, 10.5));
      service.state(new Request.CorrectFill("a", "g", 1, 10.5));
      service.ask(new Request.Fill("nobody", "f", 0, 1, 10));
      service.ask(
          new Request.CorrectBar(
              new Request.Bar(
                  "A",
                  TestService.DATE,
                  TestService.time(3),
                  TestModels.FIELDS,
                  List.of(10f, 500f))));
      service.state(order("d", "A", 400, null, "b"));
      service.done(new Request.Halt("A", TestService.DATE, true));
      service.done(new Request.Halt("A", TestService.DATE, false));
      service.state(new Request.Cancel("c"));
      service.done(new Request.Switch(Scope.INSTRUMENT, "B", true));
      service.bars("A", 35, 60);
    }
  }

  private static Request.OpenOrder order(
      String id,
      String instrument,
      double amount,
      @org.jspecify.annotations.Nullable String account,
      @org.jspecify.annotations.Nullable String replaces) {
    return new Request.OpenOrder(
            id,
            instrument,
            TestService.DATE,
            Side.SELL,
            amount,
            TestService.time(0),
            TestService.DATE.atTime(14, 59),
            null,
            account)
        .withReplaces(replaces);
  }
}
