package io.tranche.market.cache;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bars of another source, with the most recently used instruments kept in memory. Safe to use from
/// several threads.
public final class CachedBars implements BarSource {

  private static final int FEWEST = 16;

  private final BarSource source;
  private final RecentCache<String, BarSeries> series;

  /// @param instruments how many are kept, at least 1
  public CachedBars(BarSource source, int instruments) {
    this(source, new RecentCache<>(instruments, source::series));
  }

  private CachedBars(BarSource source, RecentCache<String, BarSeries> series) {
    this.source = source;
    this.series = series;
  }

  /// Returns bars that keep as many instruments as fit into a share of the heap, but at least 16.
  public static CachedBars byMemory(BarSource source) {
    return new CachedBars(
        source, RecentCache.byMemory(FEWEST, BarSeries::bytes, source::series));
  }

  @Override
  public Calendar calendar() {
    return source.calendar();
  }

  @Override
  public Calendar calendar(String instrument) {
    return source.calendar(instrument);
  }

  @Override
  public @Nullable Session session(String instrument) {
    return source.session(instrument);
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
