package io.tranche.market;

import java.time.ZoneId;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Bars with other values, see [BarSource#changed].
record ChangedSource(BarSource bars, List<String> fields, UnaryOperator<BarSeries> change)
    implements BarSource {

  @Override
  public Calendar calendar() {
    return bars.calendar();
  }

  @Override
  public Calendar calendar(String instrument) {
    return bars.calendar(instrument);
  }

  @Override
  public @Nullable Session session(String instrument) {
    return bars.session(instrument);
  }

  @Override
  public @Nullable ZoneId zone(String instrument) {
    return bars.zone(instrument);
  }

  @Override
  public boolean hasInstants() {
    return bars.hasInstants();
  }

  @Override
  public boolean isSequential() {
    return bars.isSequential();
  }

  @Override
  public List<String> instruments() {
    return bars.instruments();
  }

  @Override
  public BarSeries series(String instrument) {
    return change.apply(bars.series(instrument));
  }

  @Override
  public void close() {
    bars.close();
  }
}
