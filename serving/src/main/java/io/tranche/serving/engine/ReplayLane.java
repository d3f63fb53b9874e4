package io.tranche.serving.engine;

import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Insight;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.model.ModelReplica;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Takes decisions of some instruments again. Tasks are gathered by one thread and then done by
/// another.
final class ReplayLane {

  private final Map<String, ModelReplica.Evidence> models = new HashMap<>();
  private final Map<LedgerDay, Map<String, ModelReplica>> replicas = new HashMap<>();
  private List<Runnable> tasks = new ArrayList<>();

  /// What a decision of a model shows once it has been taken again.
  static final class Answered {
    private double volume = Double.NaN;
    private @Nullable Insight insight;

    /// Returns what the model wanted; NaN if it does not follow the order.
    double volume() {
      return volume;
    }

    @Nullable Insight insight() {
      return insight;
    }
  }

  /// @param isDetailed whether to tell what the model saw
  Answered explain(
      ServiceConfig config,
      LedgerDay day,
      String name,
      LoadedModel model,
      Event.Decided decided,
      boolean isDetailed) {
    var answered = new Answered();
    tasks.add(
        () -> {
          ModelReplica replica = replica(config, day, name, model);
          var child = decided.child();
          if (isDetailed) {
            Insight insight = replica.explain(child.id(), child.step(), decided.events());
            answered.insight = insight;
            answered.volume = insight == null ? Double.NaN : insight.volume();
          } else {
            answered.volume = replica.retake(child.id(), child.step(), decided.events());
          }
        });
    return answered;
  }

  private ModelReplica replica(
      ServiceConfig config, LedgerDay day, String name, LoadedModel model) {
    return replicas
        .computeIfAbsent(day, _ -> new HashMap<>())
        .computeIfAbsent(
            name,
            _ ->
                models
                    .computeIfAbsent(name, _ -> new ModelReplica.Evidence(config, name, model))
                    .of(day));
  }

  /// Forgets a day.
  void end(LedgerDay day) {
    tasks.add(
        () ->
            Objects.requireNonNullElse(replicas.remove(day), Map.<String, ModelReplica>of())
                .values()
                .forEach(ModelReplica::close));
  }

  /// Returns the tasks that have gathered, to be done one after another.
  Runnable next() {
    List<Runnable> gathered = tasks;
    tasks = new ArrayList<>();
    return () -> gathered.forEach(Runnable::run);
  }
}
