package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An order as its client in a [Simulation] knows it, and what the client may ask about it.
final class KnownOrder {

  final Request.OpenOrder request;
  boolean isAcknowledged;
  final Map<Integer, Answer.Child> children = new TreeMap<>();
  final Map<String, Request.Fill> acknowledged = new HashMap<>();
  final Map<String, Request.Fill> sent = new HashMap<>();
  private final Map<Integer, Double> filledOf = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();

  KnownOrder(Request.OpenOrder request) {
    this.request = request;
  }

  Request amend() {
    return new Request.Amend(request.id(), request.amount() + 100, null);
  }

  /// A fill of a child order that the client was given, never more than it had.
  @Nullable Request fill(SplittableRandom random) {
    for (Answer.Child child : children.values()) {
      double left = child.volume() - filledOf.getOrDefault(child.step(), 0.0);
      if (left > 1 && random.nextBoolean()) {
        double volume = Math.floor(left * random.nextDouble(0.2, 1));
        if (volume > 0 && !ended.contains(child.step())) {
          String fillId = child.step() + "-" + sent.size();
          var fill = new Request.Fill(request.id(), fillId, child.step(), volume, Simulation.PRICE);
          sent.put(fillId, fill);
          filledOf.merge(child.step(), volume, Double::sum);
          return fill;
        }
      }
    }
    return null;
  }

  /// A fill that nobody has acknowledged.
  @Nullable Request again() {
    return sent.values().stream()
        .filter(each -> !acknowledged.containsKey(each.fillId()))
        .findFirst()
        .orElse(null);
  }

  /// A desk reports the end of a child order once its fills are acknowledged.
  @Nullable Request report(SplittableRandom random) {
    for (Answer.Child child : children.values()) {
      if (child.volume() > 0 && isSettled(child.step()) && random.nextBoolean()) {
        ended.add(child.step());
        return new Request.Report(request.id(), child.step(), Phase.DONE);
      }
    }
    return null;
  }

  private boolean isSettled(int step) {
    return sent.values().stream()
        .filter(each -> Objects.equals(each.step(), step))
        .allMatch(each -> acknowledged.containsKey(each.fillId()));
  }
}
