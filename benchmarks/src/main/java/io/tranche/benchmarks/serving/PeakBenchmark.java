package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.engine.JournalReplay;
import io.tranche.serving.journal.JournalHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/// A minute of twice as many requests as the service can answer. It may refuse requests and let
/// TWAP decide; it may not answer wrongly, lose or repeat what it acknowledged, or record a
/// decision that cannot be taken again. It is killed at the end, and its journal is compared with
/// the answers.
public final class PeakBenchmark {

  private static final int INSTRUMENTS = 256;
  private static final int UNDER_WAY = 200;
  private static final long PATIENCE_MILLIS = 30_000;

  /// How many things that are wrong are printed.
  private static final int SHOWN = 20;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "peak",
          "Is anything wrong after a minute of twice the requests that can be answered?",
          """
          peak.requests_per_s peak.offered peak.answered_per_s peak.refused peak.fallbacks
          peak.unanswered_late peak.wrong_failures peak.lost peak.doubled_failures
          peak.difference_failures
          """,
          PeakBenchmark::run);

  private PeakBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var model = new ServedBundle(options.work());
    var desk = new DeskDay(model, true);
    int instruments = options.count(INSTRUMENTS, 4);
    var script = new DeskScript(desk, DeskScript.Form.COMPACT, instruments, 0);
    var log = new AnswerLog(script, instruments);
    Path journal = Files.createTempDirectory(options.work(), "journal");
    double peak;
    LoadResult result;
    try (var server =
            ServerProcess.start(
                options, ServerProcess.command(options, model, journal, GateBenchmark.settings()));
        var generator =
            new LoadGenerator(List.of(server.address()), instruments, PATIENCE_MILLIS)) {
      int underWay = options.count(UNDER_WAY, 3);
      generator.runClosed(log.prelude(), 0, script.preludeSize(), 12);
      int warmUp = options.count(400_000, 100);
      generator.runClosed(log.requests(), 0, warmUp, underWay);
      int measured = options.count(400_000, 200);
      peak = generator.runClosed(log.requests(), warmUp, measured, underWay).achieved();
      double seconds = options.quick() ? 0.3 : 60;
      int count = (int) (2 * peak * seconds);
      long[] times = Arrivals.POISSON.times(count, 2 * peak, 1);
      log.reset();
      result = generator.run(log.requests(), warmUp + measured, 2 * peak, times);
      options.printf("peak: %s%n", result);
    }
    var judge = new PeakJudge(script, log, config(model, journal), instruments, shown(options));
    JournalHistory.read(journal, entries -> entries.forEach(each -> judge.take(each.event())));
    judge.finish();
    var differences = new LongAdder();
    JournalReplay.compare(
        journal, _ -> model.loaded, each -> differences.add(each.difference() == null ? 0 : 1));
    return List.of(
        new Figure("peak.requests_per_s", peak, "requests/s"),
        new Figure("peak.offered", 2 * peak, "requests/s"),
        new Figure("peak.answered_per_s", result.achieved(), "requests/s"),
        new Figure("peak.refused", log.refused, "requests"),
        new Figure("peak.fallbacks", log.fallbacks, "decisions"),
        new Figure("peak.unanswered_late", result.unanswered(), "requests"),
        new Figure("peak.wrong_failures", judge.wrong(), "requests"),
        new Figure("peak.lost", judge.lost(), "requests"),
        new Figure("peak.doubled_failures", judge.doubled(), "events"),
        new Figure("peak.difference_failures", differences.sum(), "decisions"));
  }

  private static ServiceConfig config(ServedBundle model, Path journal) {
    var spec = model.loaded.spec();
    Path models = Objects.requireNonNull(model.bundle.getParent());
    return ServiceConfig.of(models, journal, spec.session(), spec.frequency())
        .withSessions(spec.sessions());
  }

  /// Returns what prints the first things that are wrong.
  private static Consumer<String> shown(Options options) {
    var count = new LongAdder();
    return message -> {
      count.increment();
      if (count.sum() <= SHOWN) {
        options.printf("peak: %s%n", message);
      }
    };
  }
}
