package io.tranche.serving.model;

import io.tranche.market.feature.GivenFeatures;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.serving.Answer;
import io.tranche.serving.Refusal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The loaded models, by name.
public final class LoadedModels {

  /// A loaded model and its health.
  ///
  /// @param name `name@version`
  /// @param openings how many of its orders are being opened now
  public record ServedModel(
      String name,
      LoadedModel model,
      ModelHealth health,
      DriftMonitor drift,
      AtomicInteger openings) {}

  private final Map<String, ServedModel> loaded = new ConcurrentSkipListMap<>();
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private volatile List<String> fields = List.of();
  private volatile Set<String> given = Set.of();

  public @Nullable ServedModel find(String name) {
    return loaded.get(name);
  }

  /// Returns a model for an order that is about to be opened; [#release] must follow.
  ///
  /// @throws Refusal if it is not loaded
  public synchronized ServedModel acquire(String name) {
    ServedModel model = loaded.get(name);
    if (model == null || leaving.contains(name)) {
      throw new Refusal(
          Answer.Reason.UNKNOWN,
          "model must be one of %s, was '%s'".formatted(loaded.keySet(), name));
    }
    model.openings().incrementAndGet();
    return model;
  }

  /// Ends what [#acquire] began, once the order is open or was refused.
  public void release(ServedModel model) {
    model.openings().decrementAndGet();
  }

  public void add(ServedModel model) {
    loaded.put(model.name(), model);
    update();
  }

  /// Removes a model unless an order uses it. Meanwhile no order can begin to use it.
  ///
  /// @param inUse whether an open order uses it
  public boolean remove(ServedModel model, BooleanSupplier inUse) {
    synchronized (this) {
      leaving.add(model.name());
    }
    try {
      if (model.openings().get() > 0 || inUse.getAsBoolean()) {
        return false;
      }
      loaded.remove(model.name(), model);
      update();
      return true;
    } finally {
      leaving.remove(model.name());
    }
  }

  private synchronized void update() {
    var all = new LinkedHashSet<String>();
    loaded.values().forEach(each -> all.addAll(each.model().spec().features().fields()));
    fields = List.copyOf(all);
    given =
        loaded.values().stream()
            .map(each -> each.model().spec().features())
            .filter(GivenFeatures.class::isInstance)
            .flatMap(each -> each.fields().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /// Returns the fields that bars must have.
  public List<String> fields() {
    return fields;
  }

  /// Returns the fields whose values a model takes as features, so that they need not be prices and
  /// volumes.
  public Set<String> given() {
    return given;
  }

  /// Describes what every model needs from clients.
  public Answer.Models described() {
    return new Answer.Models(
        loaded.values().stream().map(each -> described(each.name(), each.model().spec())).toList());
  }

  private static Answer.Model described(String name, ModelSpec spec) {
    return new Answer.Model(
        name,
        spec.session(),
        spec.frequency(),
        spec.features().fields(),
        spec.features().earlierDays(),
        spec.ticksPerStep(),
        spec.maxSteps(),
        spec.isQlib(),
        spec.sessions(),
        spec.frictions());
  }

  public Set<String> names() {
    return loaded.keySet();
  }
}
