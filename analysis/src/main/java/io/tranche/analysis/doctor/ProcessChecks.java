package io.tranche.analysis.doctor;

import io.tranche.trainer.checkpoint.Checkpoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The checks of [RunCheck] that look at a run's process: its pace, its memory and its threads.
final class ProcessChecks {

  private static final double MOST_COLLECTING = 0.2;
  private static final double LEAST_COLLECTING_SECONDS = 1;
  private static final long LONGEST_BEGINNING = 600;

  private ProcessChecks() {}

  static @Nullable Diagnosis stalls(RunFacts facts) {
    List<Double> times = RunFacts.numbers(facts.process(), "time");
    List<Double> uptimes = RunFacts.numbers(facts.process(), "uptime_seconds");
    Integer most = facts.run().trainer().maxIterations();
    Checkpoint newest = facts.newest();
    if (uptimes.size() < 2) {
      return null;
    }
    var steps = new ArrayList<Double>();
    for (int i = 1; i < uptimes.size(); i++) {
      double step = uptimes.get(i) - uptimes.get(i - 1);
      if (step > 0) { // a resumed run begins anew
        steps.add(step);
      }
    }
    double usual = median(steps);
    boolean isOver =
        newest != null
            && (newest.position().stop() != null
                || (most != null && newest.position().iterations() >= most));
    double silent = facts.now().getEpochSecond() - times.getLast();
    if (!isOver && silent > Math.max(60, 10 * usual)) {
      return RunCheck.TRAINING_STALLS.found(
          "no iteration for %.0f seconds; one took %.1f".formatted(silent, usual),
          "the process was stopped or killed, or it waits: for a plug-in, a file system, memory",
          "if it still runs, look with jstack where it waits; else go on with tranche train"
              + " --resume");
    }
    int part = steps.size() / 4;
    if (part >= 2) {
      double first = median(steps.subList(0, part));
      double last = median(steps.subList(steps.size() - part, steps.size()));
      if (last > 3 * first && last > 1) {
        return RunCheck.TRAINING_STALLS.found(
            "an iteration took %.1f seconds at first and takes %.1f now".formatted(first, last),
            "another process needs the cores, or the heap is nearly full",
            "see cpu_seconds and gc_seconds in process.jsonl; give it cores or heap (-Xmx)");
      }
    }
    return null;
  }

  private static double median(List<Double> values) {
    return values.isEmpty() ? 0 : values.stream().sorted().toList().get(values.size() / 2);
  }

  static @Nullable Diagnosis neverBegan(RunFacts facts) {
    long silent = facts.now().getEpochSecond() - facts.begun().getEpochSecond();
    return silent > LONGEST_BEGINNING
        ? RunCheck.TRAINING_STALLS.found(
            "no iteration was finished in %d seconds".formatted(silent),
            "training failed or was killed in its first iteration, or it still works on it",
            "if it is over, its message on standard error says why; start it again")
        : null;
  }

  static @Nullable Diagnosis heap(RunFacts facts) {
    List<Double> collecting = RunFacts.numbers(facts.process(), "gc_seconds");
    List<Double> uptime = RunFacts.numbers(facts.process(), "uptime_seconds");
    if (uptime.size() < 2) {
      return null;
    }
    double spent = collecting.getLast() - collecting.getFirst();
    double share = spent / (uptime.getLast() - uptime.getFirst());
    // One pause of a busy machine is a large share of a training of a second.
    return share > MOST_COLLECTING && spent > LEAST_COLLECTING_SECONDS
        ? RunCheck.A_HEAP_THAT_IS_TOO_SMALL.found(
            "%.0f %% of the time goes to collections of a heap of %.0f MB"
                .formatted(
                    100 * share,
                    RunFacts.numbers(facts.process(), "heap_max_bytes").getLast() / 1e6),
            "the heap is nearly full, so the collector never rests",
            "a larger heap (JAVA_TOOL_OPTIONS=-Xmx8g), fewer cached_days, a smaller buffer_size")
        : null;
  }

  static @Nullable Diagnosis threads(RunFacts facts) {
    Integer threads = facts.run().trainer().threads();
    List<Double> cores = RunFacts.numbers(facts.process(), "cores");
    return threads != null && !cores.isEmpty() && threads > cores.getLast()
        ? RunCheck.TOO_MANY_THREADS.found(
            "%d threads on %.0f cores".formatted(threads, cores.getLast()),
            "threads that wait for a core make all others wait at the end of each step",
            "as many threads as cores, one fewer beside a service; threads change no result")
        : null;
  }
}
