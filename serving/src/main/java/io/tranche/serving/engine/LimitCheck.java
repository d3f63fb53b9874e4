package io.tranche.serving.engine;

import io.tranche.serving.ServiceConfig;
import io.tranche.serving.ledger.LedgerOrder;
import org.jspecify.annotations.Nullable;

/// The volume that remains after all limits.
///
/// @param limited the limit that reduced it most; null for none
record LimitCheck(double volume, @Nullable String limited) {

  /// Reduces a wanted volume to what remains of the order and to all limits.
  static LimitCheck of(ServiceConfig.Limits limits, LedgerOrder order, double wanted) {
    double volume = Math.clamp(wanted, 0, order.remaining());
    var check = new LimitCheck(volume, null);
    Double slice = limits.slice();
    if (slice != null) {
      check = check.atMost(slice, "slice");
    }
    Double share = limits.sliceShare();
    if (share != null) {
      check = check.atMost(share * order.request().amount(), "slice_share");
    }
    Double participation = limits.participation();
    if (participation != null) {
      int bars = limits.participationBars();
      double recent = order.day().recentVolume(bars);
      // All orders of the instrument share it. Without any known volume, nothing may trade.
      double left = participation * recent - order.day().taken(bars, order);
      check = check.atMost(left > 0 ? left : 0, "participation");
    }
    Double band = limits.bandBps();
    if (band != null) {
      double moved = Math.abs(order.day().newestClose() / order.reference() - 1) * 10_000;
      // Without a price or a reference, nothing may trade.
      check = moved <= band ? check : check.atMost(0, "price_band");
    }
    return check;
  }

  private LimitCheck atMost(double limit, String name) {
    return volume > limit ? new LimitCheck(limit, name) : this;
  }
}
