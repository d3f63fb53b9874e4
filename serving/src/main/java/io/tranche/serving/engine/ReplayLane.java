package io.tranche.serving.engine;

import io.tranche.runtime.DecisionRuntime;
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

  private final Map<String, DecisionRuntime> runtimes = new HashMap<>();
  private final Map<Event.DayKey, Map<String, ModelReplica>> replicas = new HashMap<>();
  private List<Runnable> tasks = new ArrayList<>();

  /// What a decision of a model shows once it has been taken again.
  static final class Answered {
    private @Nullable Insight insight;

    @Nullable Insight insight() {
      return insight;
    }
  }

  Answered explain(
      ServiceConfig config, LedgerDay day, String name, LoadedModel model, Event.Decided decided) {
    var answered = new Answered();
    tasks.add(
        () -> {
          ModelReplica replica =
              replicas
                  .computeIfAbsent(day.key(), _ -> new HashMap<>())
                  .computeIfAbsent(
                      name,
                      _ ->
                          ModelReplica.of(
                              config,
                              day,
                              name,
                              runtimes.computeIfAbsent(name, _ -> new DecisionRuntime(model))));
          var child = decided.child();
          answered.insight = replica.explain(child.id(), child.step(), decided.events());
        });
    return answered;
  }

  /// Forgets a day.
  void end(Event.DayKey day) {
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
