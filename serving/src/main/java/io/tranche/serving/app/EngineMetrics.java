package io.tranche.serving.app;

import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Counters;
import io.tranche.serving.DriftReport;
import io.tranche.serving.Request;
import io.tranche.serving.engine.Engine;
import io.tranche.serving.engine.OrderWatch;
import io.tranche.serving.http.PrometheusText;
import io.tranche.serving.wire.StrictJson;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The engine's metrics for Prometheus.
final class EngineMetrics {

  private EngineMetrics() {}

  static void write(Engine engine, PrometheusText text) {
    Counters counters = engine.counters();
    text.counter("tranche_bars_total", "Bars taken.", counters.bars);
    text.family("tranche_bars_strange_total", "counter", "Bars that were not taken, by answer.");
    for (var each : List.of(BarAnswer.CONTRADICTING, BarAnswer.LATE, BarAnswer.OUTSIDE)) {
      text.sample(
          "tranche_bars_strange_total",
          counters.bars(each).doubleValue(),
          "answer",
          StrictJson.nameOf(each));
    }
    text.counter("tranche_orders_total", "Orders opened.", counters.ordersOpened);
    text.counter("tranche_fills_total", "Fills of working child orders.", counters.fills);
    text.counter(
        "tranche_late_fills_total",
        "Fills of child orders that had been withdrawn.",
        counters.lateFills);
    text.counter(
        "tranche_overfills_total",
        "Fills beyond what their child order or order allowed.",
        counters.overfills);
    text.counter(
        "tranche_unmatched_fills_total", "Fills of unknown orders.", counters.unmatchedFills);
    text.gauge("tranche_unmatched_fills", "Fills of unknown orders kept.", engine.unmatchedFills());
    text.counter("tranche_corrections_total", "Corrected fills and bars.", counters.corrections);
    text.counter(
        "tranche_heartbeats_missed_total",
        "Accounts switched off because no heartbeat came.",
        counters.heartbeatsMissed);
    text.counter("tranche_repeated_total", "Repeated requests.", counters.repeated);
    watch(engine, text);
    ProcessMetrics.write(text);
    decisions(counters, text);
    text.family("tranche_refusals_total", "counter", "Requests refused, by reason.");
    reasons(text, "tranche_refusals_total", Answer.Reason.values(), counters::refusals);
    journal(engine, counters, text);
    text.gauge("tranche_orders_held", "Orders of days that have not ended.", engine.openOrders());
    text.gauge("tranche_queue_depth", "Tasks waiting for the busiest worker.", engine.queueDepth());
    text.counter("tranche_streams_opened_total", "Encoder states.", counters.streamsOpened);
    text.counter(
        "tranche_streams_shared_total",
        "Orders that share the encoder state of their day.",
        counters.streamsShared);
    text.counter("tranche_rollbacks_total", "Returns to an earlier model.", counters.rollbacks);
    text.family("tranche_switched_off", "gauge", "Switches that are off.");
    for (Request.Switch each : engine.switchedOff()) {
      text.sample(
          "tranche_switched_off",
          1,
          "scope",
          StrictJson.nameOf(each.scope()),
          "name",
          each.name() == null ? "" : each.name());
    }
    text.counter("tranche_drift_alarms_total", "Windows that drifted.", counters.driftAlarms);
    String shift = "Largest shift, in standard deviations.";
    drift(engine, text, "tranche_drift_features", shift, DriftReport::featureShift);
    String feature = "Largest population stability index of a feature.";
    drift(engine, text, "tranche_drift_feature_index", feature, DriftReport::featureIndex);
    String index = "Population stability index.";
    drift(engine, text, "tranche_drift_actions", index, DriftReport::actionIndex);
    text.histogram(
        "tranche_decision_seconds", "From request to answer of a decision.", counters.decisions);
    text.histogram(
        "tranche_model_seconds", "Time models took, including waiting.", counters.models);
    text.histogram(
        "tranche_change_seconds", "From request to answer of other changes.", counters.changes);
  }

  private static void watch(Engine engine, PrometheusText text) {
    OrderWatch watch = engine.watch();
    text.gauge(
        "tranche_bar_age_seconds",
        "Age of the oldest newest bar of an instrument with an open order.",
        Double.isNaN(watch.barAgeSeconds()) ? 0 : watch.barAgeSeconds());
    text.gauge("tranche_orders_near_end", "Open orders in their last step.", watch.nearEnd());
    text.gauge("tranche_orders_out", "Orders with something out in the market.", watch.out());
    text.gauge(
        "tranche_recovery_seconds", "How long reading the journal took.", engine.recoverySeconds());
    double free;
    try {
      free = engine.freeBytes();
    } catch (IOException _) {
      free = 0; // a disk that does not say is to be looked at
    }
    text.gauge("tranche_disk_free_bytes", "Free space of the journal's disk.", free);
  }

  private static void decisions(Counters counters, PrometheusText text) {
    text.family("tranche_decisions_total", "counter", "Decisions by source.");
    text.sample(
        "tranche_decisions_total", counters.modelDecisions.doubleValue(), "source", "model");
    double fallbacks =
        Arrays.stream(Counters.Fallback.values())
            .mapToDouble(each -> counters.fallbacks(each).doubleValue())
            .sum();
    text.sample("tranche_decisions_total", fallbacks, "source", "twap");
    text.sample("tranche_decisions_total", counters.killed.doubleValue(), "source", "kill_switch");
    text.family("tranche_fallbacks_total", "counter", "Decisions by TWAP, by reason.");
    reasons(text, "tranche_fallbacks_total", Counters.Fallback.values(), counters::fallbacks);
    text.counter(
        "tranche_late_answers_total",
        "Decisions answered late because of the journal.",
        counters.lateAnswers);
    text.counter(
        "tranche_model_days_lost_total", "Days on which a model failed.", counters.daysLost);
    text.counter(
        "tranche_limited_total", "Decisions whose volume a limit reduced.", counters.limited);
    text.counter(
        "tranche_shadow_decisions_total", "Decisions by shadows.", counters.shadowDecisions);
    text.counter(
        "tranche_shadow_different_total",
        "Decisions by shadows that differed from the answer.",
        counters.shadowDifferent);
    text.counter(
        "tranche_shadow_failures_total",
        "Decisions by shadows that failed.",
        counters.shadowFailures);
  }

  private static <E extends Enum<E>> void reasons(
      PrometheusText text, String name, E[] reasons, Function<E, LongAdder> count) {
    for (E each : reasons) {
      text.sample(name, count.apply(each).doubleValue(), "reason", StrictJson.nameOf(each));
    }
  }

  private static void journal(Engine engine, Counters counters, PrometheusText text) {
    text.counter("tranche_journal_forces_total", "Group commits.", counters.journalForces);
    text.histogram(
        "tranche_journal_force_seconds", "Time of a write and its fsync.", counters.forces);
    text.counter(
        "tranche_journal_failures_total", "Group commits that failed.", counters.journalFailures);
    text.gauge(
        "tranche_journal_waiting", "Requests waiting for a group commit.", engine.journalQueue());
    text.gauge(
        "tranche_journal_batch_p50",
        "Median number of events per group commit.",
        (double) counters.batchSizes.percentile(0.5));
    text.gauge(
        "tranche_journal_batch_p99",
        "99th percentile of events per group commit.",
        (double) counters.batchSizes.percentile(0.99));
  }

  private static void drift(
      Engine engine,
      PrometheusText text,
      String name,
      String help,
      ToDoubleFunction<DriftReport> figure) {
    text.family(name, "gauge", help);
    for (String model : engine.models()) {
      DriftReport report = engine.drift(model);
      if (report != null && Double.isFinite(figure.applyAsDouble(report))) {
        text.sample(name, figure.applyAsDouble(report), "model", model);
      }
    }
  }
}
