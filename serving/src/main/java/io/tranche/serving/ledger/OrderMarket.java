package io.tranche.serving.ledger;

import io.tranche.serving.risk.RiskCheck;
import org.jspecify.annotations.Nullable;

/// What limits compare an order with. Guarded by the lock of its [InstrumentState].
public final class OrderMarket implements RiskCheck.Market {

  private final LedgerDay day;
  private final @Nullable LedgerOrder replacing;
  private float reference;

  /// @param replacing the order, if its next child order takes the place of what it has out; null
  ///   if both count
  OrderMarket(LedgerDay day, @Nullable LedgerOrder replacing) {
    this.day = day;
    this.replacing = replacing;
    this.reference = day.referenceClose();
  }

  @Override
  public float reference() {
    return reference;
  }

  void sawReference(float price) {
    if (Float.isNaN(reference)) {
      reference = price;
    }
  }

  @Override
  public double recentVolume(int bars) {
    return day.recentVolume(bars);
  }

  @Override
  public double taken(int bars) {
    return day.taken(bars, replacing);
  }

  @Override
  public float newestClose() {
    return day.newestClose();
  }

  @Override
  public double deskReference() {
    return day.deskReference();
  }
}
