package io.tranche.cli.training;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.Text;
import io.tranche.work.tuning.Leaderboard.Row;
import io.tranche.work.tuning.RungStatus;
import io.tranche.work.tuning.TuneListener;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Shows how a search goes: on a terminal a table that is redrawn in place, elsewhere a line when
/// there is a new best.
final class TuneDisplay implements TuneListener, AutoCloseable {

  private final PrintWriter out;
  private final PrintWriter err;
  private final Progress data;
  private final Progress search; // for its estimate
  private final boolean quiet;
  private final boolean terminal = Progress.isTerminal();
  private int drawn;
  private int best = -1;

  TuneDisplay(Console console) {
    this.out = console.out();
    this.err = console.err();
    this.quiet = console.isQuiet();
    this.data = console.progress("data");
    this.search = console.progress("tune");
  }

  @Override
  public void making(String what, long done, long total) {
    data.update(done, total, what);
  }

  @Override
  public void on(Status status) {
    data.clear();
    Row now = status.best();
    if (quiet) {
      return;
    }
    measure(status);
    if (terminal) {
      clear();
      List<String> lines = lines(status);
      lines.forEach(err::println);
      drawn = lines.size();
      err.flush();
    } else if (now != null && now.trial() != best) {
      out.println("so far " + words(now));
      out.flush();
    }
    best = now == null ? -1 : now.trial();
  }

  /// Counts iterations. About as many trials reach a rung as its iterations allow: halving gives
  /// each rung the same work.
  private void measure(Status status) {
    double first = status.rungs().isEmpty() ? 0 : status.rungs().getFirst().iterations();
    double done = 0;
    double total = 0;
    int before = 0;
    for (RungStatus rung : status.rungs()) {
      int more = rung.iterations() - before;
      done += rung.reached() * more;
      total += Math.max(rung.reached(), status.trials() * first / rung.iterations()) * more;
      before = rung.iterations();
    }
    if (done > 0) {
      clear();
      search.measure(Math.round(done), Math.round(total));
    }
  }

  private static List<String> lines(Status status) {
    var lines = new ArrayList<String>();
    lines.add(" iterations  running  reached  promoted       best  trial");
    for (RungStatus rung : status.rungs()) {
      lines.add(
          Text.of(
              "%11d  %7d  %7d  %8d  %s",
              rung.iterations(),
              rung.running(),
              rung.reached(),
              rung.promoted(),
              Double.isFinite(rung.value())
                  ? Text.of("%9.4f  %5d", rung.value(), rung.best())
                  : ""));
    }
    Row best = status.best();
    lines.add(
        "%d of %d trials begun%s"
            .formatted(
                status.begun(), status.trials(), best == null ? "" : "; so far " + words(best)));
    return lines;
  }

  private static String words(Row row) {
    return Text.of(
        "trial %d is best: %.4f after %d iterations", row.trial(), row.value(), row.iterations());
  }

  @Override
  public void message(String text) {
    if (quiet) {
      return;
    }
    clear();
    out.println(text);
    out.flush();
  }

  /// Clears the display, so that something else can be printed.
  void clear() {
    data.clear();
    if (drawn > 0) {
      err.print("\u001b[%dA\r\u001b[J".formatted(drawn));
      err.flush();
      drawn = 0;
    }
  }

  @Override
  public void close() {
    clear();
  }
}
