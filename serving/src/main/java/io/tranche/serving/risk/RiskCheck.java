package io.tranche.serving.risk;

import io.tranche.market.Side;
import io.tranche.serving.Limit;
import io.tranche.serving.RiskLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The volume that remains of a child order after all limits.
///
/// @param limited the limit that reduced it most; null for none
public record RiskCheck(double volume, @Nullable String limited) {

  private static final Limit[] ALL = Limit.values();

  /// The word for what is reserved for child orders that are still out.
  public static final String RESERVED = "reserved";

  /// The word for a halt of the instrument.
  public static final String HALTED = "halted";

  /// The word for times at which the instrument does not trade.
  public static final String CLOSED = "closed";

  /// A child order that somebody wants to send.
  ///
  /// @param amount of its order
  /// @param available what remains of its order less what is out
  /// @param price the known price; NaN for none
  /// @param replaced the value of what is withdrawn at once when it is sent
  public record Wish(
      Side side, double volume, double amount, double available, double price, double replaced) {}

  /// The limits of everything, an account or an instrument, and its exposure.
  public record Scoped(RiskLimits limits, Exposure exposure) {}

  /// What is known of the market of an instrument.
  public interface Market {

    /// Returns the volume of the newest bars; NaN if none of them has one.
    double recentVolume(int bars);

    /// Returns what all orders have filled in the newest bars and have out.
    double taken(int bars);

    /// Returns the close of the newest bar; NaN if it has none.
    float newestClose();

    /// Returns the price that the order first saw; NaN for none.
    float reference();

    /// Returns the price that the desk gave; NaN for none.
    double deskReference();
  }

  /// What time it is.
  ///
  /// @param barAgeSeconds how old the newest bar is; NaN if there is none
  public record Clock(boolean isTrading, boolean isHalted, double barAgeSeconds) {}

  /// Reduces a wish to all limits. A limit that cannot be checked lets nothing trade.
  public static RiskCheck of(Wish wish, List<Scoped> scopes, Market market, Clock clock) {
    // Written so that NaN becomes 0.
    double wanted = wish.volume() > 0 ? wish.volume() : 0;
    RiskCheck check = new RiskCheck(wanted, null).atMost(wish.available(), RESERVED);
    if (clock.isHalted()) {
      check = check.atMost(0, HALTED);
    }
    if (!clock.isTrading()) {
      check = check.atMost(0, CLOSED);
    }
    double lot = Double.NaN;
    for (Scoped each : scopes) {
      check = check.within(wish, each, market, clock);
      double other = each.limits().value(Limit.LOT);
      lot = Double.isNaN(lot) || other > lot ? other : lot;
    }
    if (lot > 0) {
      check = check.atMost(Math.floor(check.volume / lot * (1 + 1e-12)) * lot, Limit.LOT.key());
    }
    return check;
  }

  private RiskCheck within(Wish wish, Scoped scope, Market market, Clock clock) {
    RiskLimits limits = scope.limits();
    if (limits.values().isEmpty()) {
      return this;
    }
    Exposure exposure = scope.exposure().without(wish.side(), wish.replaced());
    RiskCheck check = this;
    for (Limit limit : ALL) {
      double most = limits.value(limit);
      if (Double.isNaN(most)) {
        continue; // not set
      }
      double room =
          switch (limit) {
            case SLICE -> most;
            case SLICE_SHARE -> most * wish.amount();
            case CHILD_VALUE -> most / wish.price();
            case PARTICIPATION -> {
              int bars = limits.participationBars();
              yield most * market.recentVolume(bars) - market.taken(bars);
            }
            case PARTICIPATION_DAY ->
                most * market.recentVolume(Integer.MAX_VALUE) - market.taken(Integer.MAX_VALUE);
            case BAND_BPS -> openWithin(most, market.newestClose(), market.reference());
            case COLLAR_BPS -> openWithin(most, market.newestClose(), market.deskReference());
            case BAR_AGE_SECONDS -> open(clock.barAgeSeconds() <= most);
            case EXECUTIONS -> open(exposure.executions() < most);
            case NET_VALUE -> exposure.netRoom(wish.side(), most) / wish.price();
            case GROSS_VALUE -> exposure.grossRoom(most) / wish.price();
            case ORDER_AMOUNT,
                ORDER_VALUE,
                DUPLICATES,
                CROSSING,
                MESSAGES_PER_SECOND,
                PARTICIPATION_BARS,
                LOT,
                TICK ->
                Double.POSITIVE_INFINITY;
          };
      check = check.atMost(room, limit.word());
    }
    return check;
  }

  private static double openWithin(double bps, double close, double reference) {
    return open(Math.abs(close / reference - 1) * 10_000 <= bps);
  }

  private static double open(boolean isOpen) {
    return isOpen ? Double.POSITIVE_INFINITY : 0;
  }

  private RiskCheck atMost(double room, String name) {
    double most = room > 0 ? room : 0; // NaN too
    return volume > most ? new RiskCheck(most, name) : this;
  }

  /// Returns the limit price of a child order.
  ///
  /// @param offsetBps how much better than the reference it is
  /// @param tick prices are multiples of it, rounded away from the market; NaN for none
  public static double limitPrice(Side side, double reference, double offsetBps, double tick) {
    double sign = side == Side.BUY ? -1 : 1;
    double price = reference * (1 + sign * offsetBps / 10_000);
    if (!(tick > 0)) {
      return price;
    }
    double ticks = price / tick;
    double rounded =
        side == Side.BUY ? Math.floor(ticks * (1 + 1e-12)) : Math.ceil(ticks * (1 - 1e-12));
    return rounded * tick;
  }
}
