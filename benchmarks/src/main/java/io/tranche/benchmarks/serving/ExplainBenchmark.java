package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.Route;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// The journal of a million decisions, and all of them taken again by `tranche journal explain`, in
/// a process of its own whose start counts.
public final class ExplainBenchmark {

  private static final int INSTRUMENTS = 256;

  /// Fewer than instruments, so that no request overtakes the one before it of its instrument.
  private static final int UNDER_WAY = 200;

  private static final long DEADLINE_MICROS = 60_000_000;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "explain",
          "How many decisions of a journal are taken again and compared in a second?",
          """
          explain.decisions explain.decisions_per_s explain.journal
          """,
          ExplainBenchmark::run);

  private ExplainBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var model = new ServedBundle(options.work());
    Path journal = options.work().resolve("journal");
    long written = write(options, model, journal);
    List<String> command =
        Options.java(options.quick(), "-XX:+UseParallelGC"); // as the launcher does
    command.addAll(List.of(io.tranche.cli.Main.class.getName(), "journal", "explain"));
    command.addAll(
        List.of(journal.toString(), "--models", String.valueOf(model.bundle.getParent())));
    long began = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = process.inputReader().readAllAsString();
    int code = Options.exitCode(process);
    double seconds = (System.nanoTime() - began) / 1e9;
    options.printf("explain: %s", said);
    if (!said.contains("%d decisions, 0 differ".formatted(written)) || code != 0) {
      throw new IllegalStateException(
          "%d decisions must be the same, was: %s".formatted(written, said));
    }
    return List.of(
        new Figure("explain.decisions", written, "decisions"),
        new Figure("explain.decisions_per_s", written / seconds, "decisions/s"),
        new Figure("explain.journal", megabytes(journal), "MB"));
  }

  private static double megabytes(Path journal) throws IOException {
    long bytes = 0;
    try (var files = Files.walk(journal)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes / 1e6;
  }

  /// Lets a service take the decisions, and returns how many.
  private static long write(Options options, ServedBundle model, Path journal) {
    var spec = model.loaded.spec();
    var limits =
        RiskLimits.of(Limit.GROSS_VALUE, 1e15)
            .with(Limit.PARTICIPATION_DAY, 1)
            .with(Limit.COLLAR_BPS, 5_000);
    ServiceConfig config =
        ServiceConfig.of(
                options.work().resolve("models"), journal, spec.session(), spec.frequency())
            .withSessions(spec.sessions())
            .withLimits(limits)
            .withCancelsAwaited(false)
            .withEarlierDaysNeeded(false);
    int instruments = options.count(INSTRUMENTS, 4);
    int underWay = options.count(UNDER_WAY, 3);
    int days = options.count(58, 1);
    var desk = new DeskDay(model, true);
    var decisions = new LongAdder();
    var wrong = new LongAdder();
    long began = System.nanoTime();
    try (var engine = Engine.open(config, Observer.NONE)) {
      engine.ask(new Request.Load("load@1")).join();
      engine.ask(new Request.SetRoute(Route.to("load@1"))).join();
      var room = new Semaphore(underWay);
      for (int day = 0; day < days; day++) {
        var asked = new ArrayList<List<DeskDay.Asked>>();
        for (int i = 0; i < instruments; i++) {
          asked.add(desk.requests("I" + i, day));
        }
        for (int place = 0; place < asked.getFirst().size(); place++) {
          for (List<DeskDay.Asked> each : asked) {
            room.acquireUninterruptibly();
            DeskDay.Asked next = each.get(place);
            engine.handle(
                patient(next.request()),
                answer -> {
                  if (answer instanceof Answer.Child child) {
                    decisions.increment();
                    if (child.volume() != next.volume()) {
                      wrong.increment();
                    }
                  } else if (answer instanceof Answer.Refused) {
                    wrong.increment();
                  }
                  room.release();
                });
          }
        }
      }
      room.acquireUninterruptibly(underWay);
    }
    options.printf(
        "explain: %,d decisions taken in %.1f s%n",
        decisions.sum(), (System.nanoTime() - began) / 1e9);
    if (wrong.sum() > 0) {
      throw new IllegalStateException(
          "answers must be those of the runtime, %d were not".formatted(wrong.sum()));
    }
    return decisions.sum();
  }

  /// Decisions may wait, so that the model takes all of them.
  private static Request patient(Request request) {
    return request instanceof Request.Decide(var id, var step, _)
        ? new Request.Decide(id, step, DEADLINE_MICROS)
        : request;
  }
}
