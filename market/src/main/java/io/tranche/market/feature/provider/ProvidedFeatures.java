package io.tranche.market.feature.provider;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DayFrame;
import io.tranche.market.feature.Adjustment;
import io.tranche.market.feature.DayRule;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.LiveFrame;
import io.tranche.market.feature.MarketIndex;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/// Features that providers compute from bars: what [ComputedFeatures] gives for whole days.
///
/// A bar counts as missing if it has none of [#fields].
///
/// @param missing replaces missing values
/// @param isAdjusted whether providers see bars adjusted by their factor
/// @param isNeutral whether they see prices divided by the market's index, which then comes with
///   every bar
public record ProvidedFeatures(
    List<FeatureProvider> providers, float missing, boolean isAdjusted, boolean isNeutral)
    implements FeatureRecipe {

  public static final String KIND = "computed";

  public ProvidedFeatures {
    providers = List.copyOf(providers);
    if (!Float.isFinite(missing)) {
      throw new IllegalArgumentException("missing must be finite, was " + missing);
    }
  }

  public ProvidedFeatures(List<FeatureProvider> providers, float missing) {
    this(providers, missing, false, false);
  }

  /// @throws ConfigException if a provider is not installed, or has other columns here
  public static ProvidedFeatures from(ConfigNode node) {
    node.rejectUnknown(
        List.of(FeatureRecipe.KIND, "providers", "columns", "missing", "adjusted", "neutral"));
    float missing = (float) node.required("missing").asDouble();
    if (!Float.isFinite(missing)) {
      throw node.required("missing").wrong("a number in single precision");
    }
    var features =
        new ProvidedFeatures(
            node.required("providers").asList().stream()
                .map(entry -> FeatureProvider.from(entry, 0))
                .toList(),
            missing,
            node.booleanOr("adjusted", false),
            node.booleanOr("neutral", false));
    ConfigNode columns = node.required("columns");
    if (!columns.asTexts().equals(features.columns().today())) {
      throw columns.wrong("the columns of the providers, " + features.columns().today());
    }
    return features;
  }

  /// @throws ConfigException if a provider differs from the installed one of its name
  @Override
  public ConfigNode toConfig() {
    var values = new LinkedHashMap<String, Object>();
    values.put(FeatureRecipe.KIND, KIND);
    values.put("providers", providers.stream().map(ProvidedFeatures::entry).toList());
    values.put("columns", columns().today());
    values.put("missing", (double) missing);
    if (isAdjusted) {
      values.put("adjusted", true);
    }
    if (isNeutral) {
      values.put("neutral", true);
    }
    ConfigNode config = ConfigFiles.of("features", values);
    ConfigNode names = config.required("providers");
    for (int i = 0; i < providers.size(); i++) {
      FeatureProvider provider = providers.get(i);
      if (provider instanceof ExpressionFeatures || provider instanceof TableFeatures) {
        continue;
      }
      FeatureProvider named = FeatureProvider.named(names.asList().get(i));
      boolean same =
          named.columns().equals(provider.columns())
              && named.fields().equals(provider.fields())
              && named.earlierDays() == provider.earlierDays();
      if (!same) {
        throw names.asList().get(i).wrong("a provider with its usual settings: " + named);
      }
    }
    return config;
  }

  private static Object entry(FeatureProvider provider) {
    return switch (provider) {
      case ExpressionFeatures expressions -> expressions.toConfig();
      case TableFeatures table -> table.toConfig();
      default -> provider.name();
    };
  }

  @Override
  public FeatureColumns columns() {
    return ComputedFeatures.columns(providers);
  }

  @Override
  public List<String> fields() {
    var fields = new LinkedHashSet<String>();
    providers.forEach(provider -> fields.addAll(provider.fields()));
    if (isAdjusted) {
      fields.add(Adjustment.FACTOR);
    }
    if (isNeutral) {
      fields.add(MarketIndex.FIELD);
    }
    return List.copyOf(fields);
  }

  /// One day more than the providers need, for yesterday's features.
  @Override
  public int earlierDays() {
    return 1 + providers.stream().mapToInt(FeatureProvider::earlierDays).max().orElse(0);
  }

  @Override
  public LiveFeatures open(
      String instrument, LocalDate date, long[] times, int plannedTicks, List<DayFrame> earlier) {
    return new Rows(
        LiveFrame.open(
            instrument, fields(), date, times, plannedTicks, earlier, earlierDays(), rule()));
  }

  /// Recomputes the day so far: bars take less room than the state of providers.
  @Override
  public LiveFeatures restore(DataInput in) throws IOException {
    return new Rows(LiveFrame.restore(fields(), earlierDays(), rule(), in));
  }

  private DayRule rule() {
    return new DayRule(0, true, isAdjusted, isNeutral);
  }

  private final class Rows implements LiveFeatures {

    private final LiveFrame day;
    private final FeatureStream[] streams;
    private final int[] offsets; // of each stream's columns, and the width
    private final float[] yesterday;

    Rows(LiveFrame day) {
      this.day = day;
      this.streams = new FeatureStream[providers.size()];
      this.offsets = new int[providers.size() + 1];
      for (int i = 0; i < streams.length; i++) {
        FeatureProvider provider = providers.get(i);
        offsets[i + 1] = offsets[i] + provider.columns().size();
        streams[i] =
            provider.stream(
                day.frame(),
                ComputedFeatures.traded(day.series(), day.number(), provider.earlierDays()));
      }
      this.yesterday =
          ComputedFeatures.matrix(
              providers, missing, day.series(), day.number() - 1, day.frame().ticks());
      float[] row = new float[offsets[streams.length]];
      for (int tick = 0; tick < day.ticks(); tick++) {
        next(tick, row, 0);
      }
    }

    @Override
    public int ticks() {
      return day.ticks();
    }

    @Override
    public void append(float[] bar, int barAt, float[] row, int rowAt) {
      day.append(bar, barAt);
      next(day.ticks() - 1, row, rowAt);
    }

    private void next(int tick, float[] row, int at) {
      for (int i = 0; i < streams.length; i++) {
        streams[i].next(tick, row, at + offsets[i]);
      }
      for (int i = at; i < at + offsets[streams.length]; i++) {
        row[i] = Float.isNaN(row[i]) ? missing : row[i];
      }
    }

    @Override
    public float[] yesterday() {
      return yesterday;
    }

    @Override
    public void save(DataOutput out) throws IOException {
      day.save(out);
    }
  }
}
