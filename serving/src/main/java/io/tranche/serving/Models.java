package io.tranche.serving;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The models that are loaded.
final class Models {

  private final Map<String, ServedModel> loaded = new ConcurrentSkipListMap<>();
  private volatile List<String> fields = List.of();

  @Nullable ServedModel find(String name) {
    return loaded.get(name);
  }

  /// Returns a model, which then has one order more.
  ///
  /// @throws Refusal if it is not loaded
  synchronized ServedModel acquire(String name) {
    ServedModel model = loaded.get(name);
    if (model == null) {
      throw new Refusal(
          Answer.Reason.UNKNOWN,
          "model must be one of %s, was '%s'".formatted(loaded.keySet(), name));
    }
    model.orders().incrementAndGet();
    return model;
  }

  /// Says that an order of the model is over or did not come about.
  void released(String name) {
    ServedModel model = loaded.get(name);
    if (model != null) {
      model.orders().decrementAndGet();
    }
  }

  void add(ServedModel model) {
    loaded.put(model.name(), model);
    update();
  }

  /// Removes a model unless it has orders.
  synchronized boolean remove(ServedModel model) {
    if (model.orders().get() > 0) {
      return false;
    }
    loaded.remove(model.name(), model);
    update();
    return true;
  }

  private synchronized void update() {
    var all = new LinkedHashSet<String>();
    loaded.values().forEach(each -> all.addAll(each.model().spec().features().fields()));
    fields = List.copyOf(all);
  }

  /// Returns the fields that bars must have.
  List<String> fields() {
    return fields;
  }

  Set<String> names() {
    return loaded.keySet();
  }

  List<ServedModel> all() {
    return new ArrayList<>(loaded.values());
  }
}
