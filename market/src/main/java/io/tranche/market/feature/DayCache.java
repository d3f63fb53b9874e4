package io.tranche.market.feature;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A source that caches the most recently used days, by instrument and date.
///
/// Everything else that determines a day (folder, columns, backtest or not) belongs to the loader,
/// so two sources never share a result.
public final class DayCache implements FeatureSource {

  @FunctionalInterface
  public interface Loader {
    DayFeatures load(String instrument, LocalDate date);
  }

  private final FeatureColumns columns;
  private final Loader loader;
  private final Supplier<FeatureRecipe> recipe;
  private final Key probe = new Key("", LocalDate.EPOCH); // guarded by days
  private final Map<Key, DayFeatures> days;

  /// @param capacity how many days are kept; the least recently used one is dropped first
  public DayCache(FeatureColumns columns, int capacity, Loader loader) {
    this(columns, capacity, loader, () -> new GivenFeatures(columns));
  }

  /// @param recipe how these features are computed from bars
  public DayCache(
      FeatureColumns columns, int capacity, Loader loader, Supplier<FeatureRecipe> recipe) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be positive, was " + capacity);
    }
    this.columns = columns;
    this.loader = loader;
    this.recipe = recipe;
    this.days =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, DayFeatures> eldest) {
            return size() > capacity;
          }
        };
  }

  @Override
  public FeatureColumns columns() {
    return columns;
  }

  @Override
  public FeatureRecipe recipe() {
    return recipe.get();
  }

  /// Hot path: a hit looks up with the shared probe under the lock and allocates nothing.
  @Override
  public DayFeatures day(String instrument, LocalDate date) {
    synchronized (days) {
      probe.instrument = instrument;
      probe.date = date;
      DayFeatures hit = days.get(probe);
      if (hit != null) {
        return hit;
      }
    }
    DayFeatures loaded =
        loader.load(instrument, date); // outside the lock, so that others can go on reading
    synchronized (days) {
      var key = new Key(instrument, date);
      DayFeatures earlier = days.get(key);
      if (earlier == null) {
        days.put(key, loaded);
      }
      return earlier == null ? loaded : earlier;
    }
  }

  private static final class Key {
    private String instrument;
    private LocalDate date;

    Key(String instrument, LocalDate date) {
      this.instrument = instrument;
      this.date = date;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && instrument.equals(that.instrument)
          && date.equals(that.date);
    }

    @Override
    public int hashCode() {
      return 31 * instrument.hashCode() + date.hashCode();
    }
  }
}
