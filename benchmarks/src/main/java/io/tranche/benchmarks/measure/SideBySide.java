package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One piece of work that we and some peers do in turn, in the same minutes, on the same data,
/// after the same number of warm-up turns. Every side must produce the same values.
public final class SideBySide {

  /// How a side takes its turns on a pool of threads.
  private interface Start extends Function<ForkJoinPool, Turn.Taker> {}

  private record Side(Row.Form form, String name, Start start, List<Turn> turns) {}

  /// A way in which we do it.
  private record Own(String name, String work, Start start, List<Turn> turns) {}

  private final Options options;
  private final List<Own> ours = new ArrayList<>();
  private final List<Side> rivals = new ArrayList<>();
  private int threads = 1;
  private int times = 1;
  private double tolerance = 1e-9;
  private double least;

  /// @param name such as `bin.read`
  /// @param work what is done, in words
  public SideBySide(Options options, String name, String work, Turn.Work ours) {
    this(options);
    also(name, work, ours);
  }

  private SideBySide(Options options) {
    this.options = options;
  }

  /// Returns a comparison in which our own side takes its turns by itself, such as another process.
  public static SideBySide ofProcesses(Options options, String name, String work, Turn.Taker ours) {
    var comparison = new SideBySide(options);
    comparison.ours.add(new Own(name, work, _ -> ours, new ArrayList<>()));
    return comparison;
  }

  /// Adds a second way in which we do it, in the same rounds: another row against the same peers.
  public SideBySide also(String name, String work, Turn.Work its) {
    ours.add(new Own(name, work, pool -> Turn.here(its, pool, times), new ArrayList<>()));
    return this;
  }

  /// Adds a second way in which another process of ours does it, if it is there.
  public SideBySide also(String name, String work, @Nullable PeerTurns turns, String its) {
    if (turns != null) {
      ours.add(new Own(name, work, _ -> () -> turns.take(its), new ArrayList<>()));
    }
    return this;
  }

  /// Sets the number of threads that each side may use.
  public SideBySide onThreads(int count) {
    threads = count;
    return this;
  }

  /// Lets sides in this process, and experts, do work that takes less than some milliseconds so
  /// often in a turn, so that compilers and caches are as warm as those of a peer whose turn takes
  /// long. The times are those of one.
  public SideBySide repeating(int count) {
    times = count;
    return this;
  }

  /// Sets how far apart two values may be, relative to ours.
  public SideBySide within(double relative) {
    return within(relative, 0);
  }

  /// Sets how far apart two values may be, relative to ours.
  ///
  /// @param least values smaller than this may be as far apart as this one
  public SideBySide within(double relative, double least) {
    tolerance = relative;
    this.least = least;
    return this;
  }

  /// Adds a peer, if it is there. An expert works as often in a turn as we do; what users run takes
  /// so long that once is enough.
  ///
  /// @param peer what readers call it
  /// @param its the name of the work in the peer's script
  public SideBySide against(Row.Form form, String peer, @Nullable PeerTurns turns, String its) {
    return turns == null
        ? this
        : against(form, peer, () -> turns.take(its, form == Row.Form.EXPERT ? times : 1));
  }

  /// Adds a peer that takes its turns by itself.
  public SideBySide against(Row.Form form, String peer, Turn.Taker taker) {
    rivals.add(new Side(form, peer, _ -> taker, new ArrayList<>()));
    return this;
  }

  /// Adds a peer that works in this process, as often in a turn as we do.
  public SideBySide againstLibrary(Row.Form form, String peer, Turn.Work its) {
    rivals.add(new Side(form, peer, pool -> Turn.here(its, pool, times), new ArrayList<>()));
    return this;
  }

  /// Lets every side do its work `warmups` times unmeasured and `repetitions` times measured, and
  /// returns the figures. The row goes to the options' rows.
  ///
  /// @throws IllegalStateException if the values of two sides differ
  public List<Figure> run(int warmups, int repetitions) throws IOException {
    try (var pool = new ForkJoinPool(threads)) {
      List<Turn.Taker> own = ours.stream().map(side -> side.start().apply(pool)).toList();
      List<Turn.Taker> others = rivals.stream().map(side -> side.start().apply(pool)).toList();
      for (int i = -warmups; i < repetitions; i++) {
        var turns = new ArrayList<Turn>();
        for (int j = 0; j < own.size(); j++) {
          turns.add(take(own.get(j), i >= 0 ? ours.get(j).turns() : new ArrayList<>()));
        }
        for (int j = 0; j < others.size(); j++) {
          Side rival = rivals.get(j);
          Turn theirs = take(others.get(j), i >= 0 ? rival.turns() : new ArrayList<>());
          for (int k = 0; k < own.size(); k++) {
            requireSame(ours.get(k).name(), turns.get(k), rival.name(), theirs);
          }
        }
      }
    }
    List<Row.Rival> others =
        rivals.stream()
            .map(side -> new Row.Rival(side.form(), side.name(), Row.Times.of(side.turns())))
            .toList();
    var figures = new ArrayList<Figure>();
    for (Own own : ours) {
      Row.Times mine = Row.Times.of(own.turns());
      var row = new Row(own.name(), own.work(), threads, repetitions, mine, others);
      options.rows().accept(row);
      figures.addAll(figures(row));
    }
    return figures;
  }

  private static Turn take(Turn.Taker taker, List<Turn> to) throws IOException {
    Turn turn = taker.take();
    to.add(turn);
    return turn;
  }

  private void requireSame(String name, Turn mine, String rival, Turn theirs) {
    List<Double> a = mine.values();
    List<Double> b = theirs.values();
    if (a.size() != b.size() || a.isEmpty()) {
      throw new IllegalStateException(
          "%s: %s must produce %d values as we do (at least one), was %d"
              .formatted(name, rival, a.size(), b.size()));
    }
    for (int i = 0; i < a.size(); i++) {
      double most = tolerance * Math.max(least, Math.abs(a.get(i)));
      if (!(Math.abs(a.get(i) - b.get(i)) <= most)) { // also if one is NaN
        throw new IllegalStateException(
            "%s: value %d of %s must be %s as ours, was %s"
                .formatted(name, i, rival, a.get(i), b.get(i)));
      }
    }
  }

  private List<Figure> figures(Row row) {
    String name = row.name();
    var figures = new ArrayList<Figure>();
    figures.add(new Figure(name + ".wall", row.ours().wall(), "s"));
    figures.add(new Figure(name + ".cpu", row.ours().cpu(), "s"));
    var forms = new ArrayList<String>();
    for (Row.Rival rival : row.rivals()) {
      String form = rival.form() == Row.Form.USUAL ? "peer" : "expert";
      int earlier = Collections.frequency(forms, form);
      forms.add(form);
      form += earlier == 0 ? "" : earlier + 1;
      figures.add(new Figure(name + "." + form + ".wall", rival.times().wall(), "s"));
      figures.add(new Figure(name + "." + form + ".cpu", rival.times().cpu(), "s"));
      figures.add(new Figure(name + "." + form + ".ratio.wall", rival.wallRatio(row), "x"));
      figures.add(new Figure(name + "." + form + ".ratio.cpu", rival.cpuRatio(row), "x"));
      options.printf(
          "%s: ours %.4g s, %s %.4g s, %d turns each%n",
          name, row.ours().wall(), rival.name(), rival.times().wall(), row.repetitions());
    }
    return figures;
  }
}
