package io.tranche.analysis.doctor;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Everything that is looked for in the metrics of a service.
enum ServiceCheck {
  HIGH_ONLINE_LATENCY(ServiceCheck::latency),
  A_DISK_THAT_SLOWS_THE_JOURNAL(ServiceCheck::journal),
  A_DISK_THAT_IS_NEARLY_FULL(ServiceCheck::disk),
  DECISIONS_BY_TWAP_INSTEAD_OF_THE_MODEL(ServiceCheck::fallbacks),
  OBSERVATIONS_THAT_DRIFT(ServiceCheck::drift),
  A_HEAP_THAT_IS_TOO_SMALL(ServiceCheck::heap),
  TOO_MANY_THREADS(ServiceCheck::threads);

  private static final double SLOW_DECISION = 0.005;
  private static final double SLOW_FORCE = 0.025;
  private static final double LEAST_DISK = 1e9;
  private static final double MOST_FALLBACKS = 0.01;
  private static final double MOST_COLLECTING = 0.1;
  private static final double FULL = 0.95;
  private static final double THREADS_PER_CORE = 20;
  private static final double THREADS_BESIDE = 200;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference has no state
  private final Function<ServiceFacts, @Nullable Diagnosis> check;

  ServiceCheck(Function<ServiceFacts, @Nullable Diagnosis> check) {
    this.check = check;
  }

  /// Returns what is wrong, or null.
  @Nullable Diagnosis find(ServiceFacts facts) {
    return check.apply(facts);
  }

  private Diagnosis found(String symptom, String cause, String cure) {
    return new Diagnosis(title(), symptom, cause, cure);
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static @Nullable Diagnosis latency(ServiceFacts facts) {
    double slowest = facts.quantile("tranche_decision_seconds", 0.99);
    double force = facts.quantile("tranche_journal_force_seconds", 0.99);
    return slowest > SLOW_DECISION
        ? HIGH_ONLINE_LATENCY.found(
            "one decision in a hundred takes longer than %.1f ms".formatted(1000 * SLOW_DECISION),
            force >= slowest / 2
                ? "decisions wait for the journal"
                : "the model is large, or threads wait for cores",
            "see tranche_model_seconds and tranche_queue_depth; a smaller network, a free core for"
                + " each worker, a faster disk")
        : null;
  }

  private static @Nullable Diagnosis journal(ServiceFacts facts) {
    double slowest = facts.quantile("tranche_journal_force_seconds", 0.99);
    return slowest > SLOW_FORCE
        ? A_DISK_THAT_SLOWS_THE_JOURNAL.found(
            "one write in a hundred takes longer than %.0f ms".formatted(1000 * SLOW_FORCE),
            "the disk of the journal is shared, remote, or slow to write through",
            "put journal on a local disk with power-loss protection")
        : null;
  }

  private static @Nullable Diagnosis disk(ServiceFacts facts) {
    double free = facts.sum("tranche_disk_free_bytes");
    boolean isKnown =
        facts.samples().stream().anyMatch(s -> s.name().equals("tranche_disk_free_bytes"));
    return isKnown && free < LEAST_DISK
        ? A_DISK_THAT_IS_NEARLY_FULL.found(
            "%.0f MB are free for the journal".formatted(free / 1e6),
            "nobody archives old segments, or others write to the same disk",
            "tranche journal archive, or a larger disk; a full disk refuses new orders")
        : null;
  }

  private static @Nullable Diagnosis fallbacks(ServiceFacts facts) {
    double all = facts.sum("tranche_decisions_total");
    double fallen = facts.sum("tranche_fallbacks_total");
    if (!(fallen > MOST_FALLBACKS * all)) {
      return null;
    }
    String reason = "failed";
    double most = -1;
    for (ServiceFacts.Sample each : facts.samples()) {
      if (each.name().equals("tranche_fallbacks_total") && each.value() > most) {
        most = each.value();
        reason = each.labels().replaceAll("reason=\"([^\"]*)\".*", "$1");
      }
    }
    return DECISIONS_BY_TWAP_INSTEAD_OF_THE_MODEL.found(
        "%.0f of %.0f decisions, most of them because of %s".formatted(fallen, all, reason),
        switch (reason) {
          case "late" -> "the model is slower than the deadline";
          case "no_earlier_days" -> "days began without the earlier days that the features need";
          case "queue_full" -> "more orders decide at once than the workers can take";
          case "not_loaded" -> "a route names a model that is not loaded";
          default -> "the model fails: bars that lack a field, or observations of another shape";
        },
        "docs/serving.md, Fallback; the service's log has the first failure of each model and day");
  }

  private static @Nullable Diagnosis drift(ServiceFacts facts) {
    double alarms = facts.sum("tranche_drift_alarms_total");
    return alarms > 0
        ? OBSERVATIONS_THAT_DRIFT.found(
            "%.0f alarms".formatted(alarms),
            "live features or actions are not distributed as in training: another unit, another"
                + " session, a model that always acts the same",
            "compare a day of bars with those of training; docs/serving.md, Drift")
        : null;
  }

  private static @Nullable Diagnosis heap(ServiceFacts facts) {
    double used = facts.sum("tranche_jvm_heap_bytes");
    double max = facts.sum("tranche_jvm_heap_max_bytes");
    double collecting = facts.sum("tranche_jvm_gc_seconds_total");
    double uptime = facts.sum("tranche_uptime_seconds");
    boolean isFull = max > 0 && used > FULL * max;
    return isFull || (uptime > 60 && collecting > MOST_COLLECTING * uptime)
        ? A_HEAP_THAT_IS_TOO_SMALL.found(
            "%.0f of %.0f MB in use, %.0f %% of the time in collections"
                .formatted(used / 1e6, max / 1e6, uptime > 0 ? 100 * collecting / uptime : 0),
            "days, orders and models need more than the heap has",
            "a larger heap (JAVA_TOOL_OPTIONS=-Xmx8g), or fewer models and instruments")
        : null;
  }

  private static @Nullable Diagnosis threads(ServiceFacts facts) {
    double threads = facts.sum("tranche_jvm_threads");
    double cores = Math.max(1, facts.sum("tranche_jvm_processors"));
    return threads > THREADS_BESIDE + THREADS_PER_CORE * cores
        ? TOO_MANY_THREADS.found(
            "%.0f threads on %.0f cores".formatted(threads, cores),
            "a worker for each of many models, or a plug-in that starts threads",
            "fewer workers (engine.workers), fewer models in one process")
        : null;
  }
}
