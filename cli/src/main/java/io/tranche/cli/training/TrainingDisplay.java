package io.tranche.cli.training;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.Text;
import io.tranche.env.EpisodeFailure;
import io.tranche.trainer.TrainingProgress;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Shows how training goes: a bar while it works, a line for what is worth keeping.
public final class TrainingDisplay implements TrainingProgress, AutoCloseable {

  /// More would bury everything else.
  private static final int MOST_FAILURES = 10;

  private final Console console;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Progress data;
  private @Nullable Progress training;
  private long firstIteration = -1;
  private long perIteration;
  private long done;
  private long failures;

  public TrainingDisplay(Console console) {
    this.console = console;
    this.out = console.out();
    this.err = console.err();
    this.data = console.progress("data");
  }

  @Override
  public void on(Moment moment) {
    if (training == null) {
      training = console.progress("train"); // not before: its rate is that of training
    }
    if (firstIteration < 0) {
      firstIteration = moment.iteration();
    }
    if (moment.phase() == Phase.COLLECT) {
      perIteration = moment.totalEpisodes();
      training.estimateAfter(perIteration); // collected, learnt from, and perhaps validated
      // Counted from where a resumed run went on, or its rate would be too good.
      done = (moment.iteration() - firstIteration) * perIteration + moment.episodes();
    }
    training.update(done, total(moment.maxIterations()), text(moment));
  }

  private long total(@Nullable Integer iterations) {
    return iterations == null
        ? done
        : Math.max(done, (iterations - firstIteration + 1) * perIteration);
  }

  private static String text(Moment moment) {
    var text = new StringBuilder();
    text.append("iteration ").append(moment.iteration());
    if (moment.maxIterations() != null) {
      text.append('/').append(moment.maxIterations());
    }
    text.append(' ').append(moment.phase().name().toLowerCase(Locale.ROOT));
    append(text, "reward %.4f", moment.mean("reward"));
    append(text, "advantage %.2f bps", moment.mean("pa"));
    append(text, "filled %.1f %%", 100 * moment.mean("ffr"));
    return text.toString();
  }

  private static void append(StringBuilder text, String format, double value) {
    if (!Double.isNaN(value)) {
      text.append("  ").append(Text.of(format, value));
    }
  }

  /// Data are being made before training begins.
  public void making(String what, long done, long total) {
    data.update(done, total, what);
  }

  @Override
  public void failed(EpisodeFailure failure) {
    failures++;
    if (failures <= MOST_FAILURES) {
      clear();
      err.println("put aside: " + failure);
    }
  }

  @Override
  public void message(String text) {
    if (!console.isQuiet()) {
      result(text);
    }
  }

  /// Prints what the user asked for, however quiet it is.
  public void result(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  private void clear() {
    data.clear();
    if (training != null) {
      training.clear();
    }
  }

  @Override
  public void close() {
    clear();
    if (failures > MOST_FAILURES) {
      err.println("put aside: %d more".formatted(failures - MOST_FAILURES));
    }
  }
}
