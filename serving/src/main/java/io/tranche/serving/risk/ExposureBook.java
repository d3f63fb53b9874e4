package io.tranche.serving.risk;

import io.tranche.serving.Request.Scope;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The exposure of every instrument, every account and all together. Whoever checks limits against
/// it holds its lock until the child order is in it, so that two decisions cannot use the same
/// room.
public final class ExposureBook {

  private record Key(Scope scope, String name) {}

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

  private final Map<Key, Sums> sums = new HashMap<>();

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
    change(new Key(Scope.ALL, ""), before, after, orders);
    change(new Key(Scope.INSTRUMENT, instrument), before, after, orders);
    if (account != null) {
      change(new Key(Scope.ACCOUNT, account), before, after, orders);
    }
  }

  private void change(Key key, Exposure before, Exposure after, int orders) {
    Sums each = sums.computeIfAbsent(key, _ -> new Sums());
    each.change(before, after);
    each.orders += orders;
    if (each.orders == 0) {
      sums.remove(key); // with it goes what rounding left
    }
  }

  /// @param name empty for everything
  public synchronized Exposure of(Scope scope, String name) {
    Sums known = sums.get(new Key(scope, name));
    return known == null ? Exposure.NONE : known.exposure();
  }

  /// Whether a scope has an order.
  public synchronized boolean knows(Scope scope, String name) {
    return sums.containsKey(new Key(scope, name));
  }

  /// Counts all executions of open days, as after a restart.
  public synchronized void restart() {
    sums.values().forEach(each -> each.released = 0);
  }

  /// Counts executions of a scope anew.
  ///
  /// @param name empty for everything; null for every account or instrument
  public synchronized void release(Scope scope, @Nullable String name) {
    sums.forEach(
        (key, each) -> {
          if (key.scope() == scope && (name == null || key.name().equals(name))) {
            each.released = each.executions;
          }
        });
  }
}
