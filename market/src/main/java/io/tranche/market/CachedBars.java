package io.tranche.market;

import java.util.List;

/// Bars of another source, of which the instruments used last are kept in memory. Safe to use from
/// several threads.
public final class CachedBars implements BarSource {

  private final BarSource source;
  private final Recent<String, BarSeries> series;

  /// @param instruments how many are kept, at least 1
  public CachedBars(BarSource source, int instruments) {
    this.source = source;
    this.series = new Recent<>(instruments, source::series);
  }

  @Override
  public Calendar calendar() {
    return source.calendar();
  }

  @Override
  public List<String> instruments() {
    return source.instruments();
  }

  @Override
  public List<String> fields() {
    return source.fields();
  }

  @Override
  public BarSeries series(String instrument) {
    return series.get(instrument);
  }

  @Override
  public void close() {
    source.close();
  }
}
