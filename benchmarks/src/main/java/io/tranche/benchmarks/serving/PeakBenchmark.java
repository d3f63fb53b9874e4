package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.runtime.LiveModel;
import io.tranche.market.BarTime;
import io.tranche.serving.Request;
import io.tranche.serving.engine.JournalReplay;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.JournalHistory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// A minute of twice as many requests as the service can answer. It may refuse requests and let
/// TWAP decide; it may not answer wrongly, lose or repeat what it acknowledged, or record a
/// decision that cannot be taken again. It is killed at the end, and its journal is compared with
/// the answers.
public final class PeakBenchmark {

  private static final int INSTRUMENTS = 256;
  private static final int UNDER_WAY = 200;
  private static final long PATIENCE_MILLIS = 30_000;

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
    var judge = new Judge(options, script, instruments);
    Path journal = Files.createTempDirectory(options.work(), "journal");
    double peak;
    LoadResult result;
    try (var server =
            ServerProcess.start(
                options, ServerProcess.command(options, model, journal, GateBenchmark.settings()));
        var generator =
            new LoadGenerator(List.of(server.address()), instruments, PATIENCE_MILLIS)) {
      int underWay = options.count(UNDER_WAY, 3);
      generator.runClosed(judge.prelude(), 0, script.preludeSize(), 12);
      int warmUp = options.count(400_000, 100);
      generator.runClosed(judge, 0, warmUp, underWay);
      int measured = options.count(400_000, 200);
      peak = generator.runClosed(judge, warmUp, measured, underWay).achieved();
      double seconds = options.quick() ? 0.3 : 60;
      int count = (int) (2 * peak * seconds);
      long[] times = Arrivals.POISSON.times(count, 2 * peak, 1);
      judge.reset();
      result = generator.run(judge, warmUp + measured, 2 * peak, times);
      options.printf(
          "peak: %s, %d requests before the decision that they follow%n", result, judge.overtaken);
    }
    var books = new Books(script, desk);
    JournalHistory.read(journal, entries -> entries.forEach(each -> books.take(each.event())));
    var lost = (BitSet) judge.acknowledged.clone();
    lost.andNot(books.found);
    var differences = new LongAdder();
    JournalReplay.compare(
        journal, _ -> model.loaded, each -> differences.add(each.difference() == null ? 0 : 1));
    return List.of(
        new Figure("peak.requests_per_s", peak, "requests/s"),
        new Figure("peak.offered", 2 * peak, "requests/s"),
        new Figure("peak.answered_per_s", result.achieved(), "requests/s"),
        new Figure("peak.refused", judge.refused, "requests"),
        new Figure("peak.fallbacks", judge.fallbacks, "decisions"),
        new Figure("peak.unanswered_late", result.unanswered(), "requests"),
        new Figure("peak.wrong_failures", judge.wrong, "requests"),
        new Figure("peak.lost", lost.cardinality(), "requests"),
        new Figure("peak.doubled_failures", books.doubled, "events"),
        new Figure("peak.difference_failures", differences.sum(), "decisions"));
  }

  /// Accepts refusals, and what follows from them: after the first one of an instrument, its other
  /// answers are no longer what the runtime says, but what is acknowledged still must be kept. The
  /// same holds once a request was due before the decision that it follows was answered: no desk
  /// can fill a child order that it has not got, but requests here leave on schedule.
  private static final class Judge implements Requests {
    /// How many wrong answers are printed.
    private static final int SHOWN = 20;

    private static final byte REFUSED = (byte) 255;

    /// Overloaded and unavailable, as numbers of the compact form.
    private static final Set<Integer> OVERLOAD = Set.of(4, 5);

    private final Options options;
    private final DeskScript script;
    private final int instruments;
    private final BitSet disturbed = new BitSet();
    private final BitSet undecided = new BitSet(); // orders of instruments
    final BitSet acknowledged = new BitSet();
    long overtaken;
    long refused;
    long fallbacks;
    long wrong;

    Judge(Options options, DeskScript script, int instruments) {
      this.options = options;
      this.script = script;
      this.instruments = instruments;
    }

    void reset() {
      refused = 0;
      fallbacks = 0;
      overtaken = 0;
    }

    /// Notes which instruments TWAP has decided for before anything is judged.
    @Override
    public Requests prelude() {
      Requests before = script.prelude();
      return new Requests() {
        @Override
        public int lane(long number) {
          return before.lane(number);
        }

        @Override
        public void write(long number, ByteBuffer to) {
          before.write(number, to);
        }

        @Override
        public Verdict judge(long number, int status, ByteBuffer body) {
          Verdict verdict = before.judge(number, status, body);
          if (verdict != Verdict.RIGHT) {
            disturbed.set(lane(number));
          }
          return verdict;
        }
      };
    }

    @Override
    public int lane(long number) {
      return script.lane(number);
    }

    @Override
    public void write(long number, ByteBuffer to) {
      int order = script.orderOf(number);
      if (order >= 0) {
        int instrument = lane(number);
        int place = instrument * DeskDay.ORDERS + order;
        if (undecided.get(place)) {
          overtaken++;
          disturbed.set(instrument);
        }
        undecided.set(place, undecided.get(place) || script.isDecision(number));
      }
      script.write(number, to);
    }

    private void wrong(long number, int status, ByteBuffer body) {
      if (wrong++ < SHOWN) {
        byte[] bytes = new byte[body.remaining()];
        body.get(body.position(), bytes);
        options.printf(
            "peak: wrong: request %d, %s: status %d, %s%n",
            number, script.name(number), status, text(bytes, script.isFrame(number)));
      }
    }

    private static String text(byte[] body, boolean isFrame) {
      return isFrame && body.length > 0 && body[0] != '{'
          ? "frame " + HexFormat.of().formatHex(body)
          : new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public Verdict judge(long number, int status, ByteBuffer body) {
      int instrument = (int) (number % instruments);
      boolean isFrame = script.isFrame(number);
      if (script.isDecision(number)) {
        undecided.clear(instrument * DeskDay.ORDERS + script.orderOf(number));
      }
      boolean isRefused = status != 200 || (isFrame && body.get(body.position()) == REFUSED);
      if (isRefused) {
        boolean isOverload =
            status == 200
                ? OVERLOAD.contains((int) body.get(body.position() + 1))
                : status == 429 || status == 503;
        refused++;
        if (!isOverload && !disturbed.get(instrument)) {
          wrong(number, status, body); // an error that no refusal before it explains
        }
        disturbed.set(instrument);
        return Verdict.FALLBACK;
      }
      acknowledged.set(Math.toIntExact(number));
      Verdict verdict = script.judge(number, status, body);
      if (verdict == Verdict.FALLBACK) {
        fallbacks++;
        disturbed.set(instrument);
      } else if (verdict == Verdict.WRONG && !disturbed.get(instrument)) {
        wrong(number, status, body);
      }
      return verdict == Verdict.WRONG && disturbed.get(instrument) ? Verdict.RIGHT : verdict;
    }
  }

  /// The requests whose events a journal has.
  private static final class Books {
    private final DeskScript script;
    private final Map<String, Integer> places = new HashMap<>();
    final BitSet found = new BitSet();
    long doubled;

    Books(DeskScript script, DeskDay desk) {
      this.script = script;
      var requests = new ArrayList<>(desk.requests("I00000", 0));
      for (int place = 0; place < requests.size(); place++) {
        places.put(key(requests.get(place).request()), place);
      }
    }

    private static String key(Request request) {
      return switch (request) {
        case Request.Reference _ -> "reference";
        case Request.OpenOrder order -> "order " + last(order.id());
        case Request.Decide(var id, var step, _) -> "decide " + last(id) + " " + step;
        case Request.Fill fill -> "fill " + last(fill.id()) + " " + fill.fillId();
        case Request.Bar bar -> "bar " + bar.time().toLocalTime();
        default -> throw new IllegalArgumentException("no desk sends " + request);
      };
    }

    private static String last(String id) {
      return id.substring(id.lastIndexOf('-') + 1);
    }

    void take(Event event) {
      String key = event instanceof Event.OfDay of ? key(of) : null;
      if (key != null) {
        Event.DayKey day = ((Event.OfDay) event).day();
        int instrument = Integer.parseInt(day.instrument().substring(1));
        int number = (int) (day.date().toEpochDay() - LiveModel.DATE.toEpochDay());
        Integer place = places.get(key);
        long request = place == null ? -1 : script.numberOf(instrument, number, place);
        if (place == null || (request >= 0 && found.get(Math.toIntExact(request)))) {
          doubled++;
        } else if (request >= 0) {
          found.set(Math.toIntExact(request));
        }
      }
    }

    private static @Nullable String key(Event.OfDay event) {
      return switch (event) {
        case Event.Referenced _ -> "reference";
        case Event.OrderOpened opened -> key(opened.request());
        case Event.Decided decided ->
            "decide " + last(decided.child().id()) + " " + decided.child().step();
        case Event.Filled filled -> key(filled.fill());
        case Event.BarTaken bar -> "bar " + BarTime.dateTime(bar.time()).toLocalTime();
        default -> null;
      };
    }
  }
}
