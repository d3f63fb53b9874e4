package io.tranche.serving.ledger;

import io.tranche.serving.Request;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fills of one order, by id, and what they leave of it. Guarded by the lock of its
/// [InstrumentState].
public final class LedgerFills {

  private final String order;
  private final Map<String, Booked> fills = new LinkedHashMap<>();

  /// A fill as it counts.
  ///
  /// @param reported what came
  /// @param step of its child order; -1 for none
  /// @param volume as reported, or as corrected since
  record Booked(Request.Fill reported, int step, double volume, double price) {}

  private double amount;
  private double filled;
  private double value;
  private double remaining;

  LedgerFills(String order, double amount) {
    this.order = order;
    this.amount = amount;
    this.remaining = amount;
  }

  /// Returns the amount of the order.
  double amount() {
    return amount;
  }

  double filled() {
    return filled;
  }

  /// Returns the value of what is filled.
  double value() {
    return value;
  }

  double remaining() {
    return remaining;
  }

  /// Changes the amount of the order.
  void amend(double changed) {
    amount = changed;
    recount();
  }

  /// Forgets a remainder that is less than `negligible`.
  void forget(double negligible) {
    if (remaining < negligible) {
      remaining = 0;
    }
  }

  private void recount() {
    filled = 0;
    value = 0;
    remaining = amount;
    fills.values().forEach(this::count);
  }

  private void count(Booked fill) {
    filled += fill.volume();
    value += fill.volume() * fill.price();
    remaining = Math.max(remaining - fill.volume(), 0);
  }

  /// @throws IllegalArgumentException if volume or price is not finite and positive
  public static void requireSound(Request.Fill fill) {
    requirePositive("volume of fill " + fill.fillId(), fill.id(), fill.volume());
    requirePositive("price of fill " + fill.fillId(), fill.id(), fill.price());
  }

  private static void requirePositive(String what, String id, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "%s of order %s must be finite and positive, was %s".formatted(what, id, value));
    }
  }

  /// Returns a fill as it was reported, or null.
  Request.@Nullable Fill reported(String fillId) {
    Booked booked = fills.get(fillId);
    return booked == null ? null : booked.reported();
  }

  void book(Request.Fill fill, int step) {
    var booked = new Booked(fill, step, fill.volume(), fill.price());
    fills.put(fill.fillId(), booked);
    count(booked);
  }

  /// @throws IllegalArgumentException if there is no such fill, or its values are impossible
  void requireCorrectable(Request.CorrectFill correction) {
    if (!fills.containsKey(correction.fillId())) {
      throw new IllegalArgumentException(
          "fill to correct must be one of order %s, was '%s'"
              .formatted(order, correction.fillId()));
    }
    if (correction.volume() != 0) {
      requireSound(
          new Request.Fill(order, correction.fillId(), correction.volume(), correction.price()));
    }
  }

  /// Whether a fill already is as a correction says.
  boolean isCorrected(Request.CorrectFill correction) {
    Booked booked = fills.get(correction.fillId());
    return booked != null
        && booked.volume() == correction.volume()
        && (booked.price() == correction.price() || correction.volume() == 0);
  }

  /// @return by how much the filled volume changes
  double correct(Request.CorrectFill correction) {
    Booked before = fills.get(correction.fillId());
    if (before == null) {
      throw new IllegalArgumentException("fill must be known, was " + correction);
    }
    double price = correction.volume() == 0 ? before.price() : correction.price();
    fills.put(
        correction.fillId(),
        new Booked(before.reported(), before.step(), correction.volume(), price));
    recount();
    return correction.volume() - before.volume();
  }

  Collection<Booked> all() {
    return fills.values();
  }

  /// Returns them as they count, each with the step of its child order.
  List<Request.Fill> asTheyCount() {
    return fills.values().stream()
        .map(
            each ->
                new Request.Fill(
                    order,
                    each.reported().fillId(),
                    each.step() < 0 ? null : (Integer) each.step(),
                    each.volume(),
                    each.price()))
        .toList();
  }
}
