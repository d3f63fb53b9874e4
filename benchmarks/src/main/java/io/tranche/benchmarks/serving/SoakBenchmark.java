package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A million requests of all kinds to one service, day after day, and its resources meanwhile.
///
/// The first fifth is left out: by then caches are full and the compiler is done.
public final class SoakBenchmark {

  private static final int INSTRUMENTS = 64;
  private static final int PARTS = 5;

  /// The number of desk requests per observation.
  private static final int DESK_SHARE = 50;

  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  /// The resources of the service at one time.
  private record Held(double heapMegabytes, double residentMegabytes, int threads, int handles) {}

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "soak",
          "Do memory, threads and handles of the service stay flat over a million requests?",
          """
          soak.requests soak.failed soak.heap_growth
          soak.resident_growth soak.threads_growth soak.handles_growth
          """,
          SoakBenchmark::run);

  private SoakBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var model = new ServedBundle(options.work());
    var day = new DeskDay(model, false);
    var desk = new DeskScript(day, DeskScript.Form.COMPACT, options.count(INSTRUMENTS, 4), 0);
    var script = new Mixed(desk, new ObservationScript(model));
    int total = options.count(1_000_000, 1_000);
    var held = new ArrayList<Held>();
    long failed = 0;
    try (var server =
        new LoadedServer(
            options, "soak", List.of(ServerProcess.ours(options, model)), script, total / PARTS)) {
      for (int part = 1; part < PARTS; part++) {
        held.add(held(server.servers().getFirst()));
        failed += server.inTurn(total / PARTS).wrong();
        options.printf("soak: after %,d requests %s%n", total / PARTS * part, held.getLast());
      }
      held.add(held(server.servers().getFirst()));
      options.printf("soak: after %,d requests %s%n", total, held.getLast());
    }
    Held first = held.getFirst();
    Held last = held.getLast();
    return List.of(
        new Figure("soak.requests", total, "requests"),
        new Figure("soak.failed", failed, "requests"),
        new Figure("soak.heap_growth", last.heapMegabytes() - first.heapMegabytes(), "MB"),
        new Figure(
            "soak.resident_growth", last.residentMegabytes() - first.residentMegabytes(), "MB"),
        new Figure("soak.threads_growth", last.threads() - first.threads(), "threads"),
        new Figure("soak.handles_growth", last.handles() - first.handles(), "handles"));
  }

  private static Held held(ServerProcess server) throws IOException {
    long pid = server.pid();
    jcmd(pid, "GC.run");
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    double heap = used.find() ? Long.parseLong(used.group(1)) / 1024.0 : 0;
    return new Held(
        heap, ResidentSet.megabytes(pid), ResidentSet.threads(pid), ResidentSet.handles(pid));
  }

  /// Runs a command in the service's virtual machine and returns its output.
  private static String jcmd(long pid, String command) throws IOException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(tool.toString(), Long.toString(pid), command)
            .redirectErrorStream(true)
            .start();
    return process.inputReader().readAllAsString();
  }

  /// The requests of a desk, with observations in between.
  private record Mixed(DeskScript desk, ObservationScript observations) implements Requests {

    private static boolean isDesk(long number) {
      return number % (DESK_SHARE + 1) < DESK_SHARE;
    }

    private static long desks(long number) {
      return number / (DESK_SHARE + 1) * DESK_SHARE + number % (DESK_SHARE + 1);
    }

    @Override
    public int lane(long number) {
      return isDesk(number) ? desk.lane(desks(number)) : observations.lane(number);
    }

    @Override
    public void write(long number, ByteBuffer to) {
      if (isDesk(number)) {
        desk.write(desks(number), to);
      } else {
        observations.write(number, to);
      }
    }

    @Override
    public Verdict judge(long number, int status, ByteBuffer body) {
      return isDesk(number)
          ? desk.judge(desks(number), status, body)
          : observations.judge(number, status, body);
    }

    @Override
    public int preludeSize() {
      return desk.preludeSize();
    }

    @Override
    public Requests prelude() {
      return desk.prelude();
    }
  }
}
