package io.tranche.serving.risk;

import io.tranche.serving.Request.Scope;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The exposure of every instrument, every account and all together. Whoever checks limits against
/// it holds its lock until the child order is in it, so that two decisions cannot use the same
/// room.
public final class ExposureBook {

  private static final class Sums {
    private double net;
    private double gross;
    private double buys;
    private double sells;
    private int executions;
    private int released; // executions before an operator set the limits
    private int orders;

    void change(Exposure before, Exposure after) {
      net += after.net() - before.net();
      gross += after.gross() - before.gross();
      buys += after.buys() - before.buys();
      sells += after.sells() - before.sells();
      executions += after.executions() - before.executions();
      released = Math.min(released, executions);
    }

    Exposure exposure() {
      return new Exposure(net, gross, buys, sells, executions - released);
    }
  }

  private final Map<Scope, Map<String, Sums>> sums = new EnumMap<>(Scope.class);

  public ExposureBook() {
    for (Scope scope : Scope.values()) {
      sums.put(scope, new HashMap<>());
    }
  }

  private Map<String, Sums> of(Scope scope) {
    return Objects.requireNonNull(sums.get(scope));
  }

  /// Adds an order.
  public synchronized void open(String instrument, @Nullable String account) {
    each(instrument, account, Exposure.NONE, Exposure.NONE, 1);
  }

  /// Changes what an order contributes.
  public synchronized void change(
      String instrument, @Nullable String account, Exposure before, Exposure after) {
    each(instrument, account, before, after, 0);
  }

  /// Removes an order.
  public synchronized void close(String instrument, @Nullable String account, Exposure before) {
    each(instrument, account, before, Exposure.NONE, -1);
  }

  private void each(
      String instrument, @Nullable String account, Exposure before, Exposure after, int orders) {
    change(Scope.ALL, "", before, after, orders);
    change(Scope.INSTRUMENT, instrument, before, after, orders);
    if (account != null) {
      change(Scope.ACCOUNT, account, before, after, orders);
    }
  }

  private void change(Scope scope, String name, Exposure before, Exposure after, int orders) {
    Map<String, Sums> names = of(scope);
    Sums each = names.computeIfAbsent(name, _ -> new Sums());
    each.change(before, after);
    each.orders += orders;
    if (each.orders == 0) {
      names.remove(name); // with it goes what rounding left
    }
  }

  /// @param name empty for everything
  public synchronized Exposure of(Scope scope, String name) {
    Sums known = of(scope).get(name);
    return known == null ? Exposure.NONE : known.exposure();
  }

  /// Whether a scope has an order.
  public synchronized boolean knows(Scope scope, String name) {
    return of(scope).containsKey(name);
  }

  /// Counts all executions of open days, as after a restart.
  public synchronized void restart() {
    sums.values().forEach(names -> names.values().forEach(each -> each.released = 0));
  }

  /// Counts executions of a scope anew.
  ///
  /// @param name empty for everything; null for every account or instrument
  public synchronized void release(Scope scope, @Nullable String name) {
    of(scope)
        .forEach(
            (each, known) -> {
              if (name == null || each.equals(name)) {
                known.released = known.executions;
              }
            });
  }
}
