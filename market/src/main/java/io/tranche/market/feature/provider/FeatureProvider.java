package io.tranche.market.feature.provider;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.DayFrame;
import java.util.List;
import java.util.ServiceLoader;

/// Computes feature columns from bars. Found by `ServiceLoader`: implement it, name the class in
/// `META-INF/services`, and check it with [CausalityCheck].
///
/// The value at a tick may depend on bars up to and including that tick and on earlier days, never
/// on later bars. A missing value is NaN. Stateless: called from several threads at once.
public interface FeatureProvider {

  /// Returns the name that users write, such as `spread`.
  String name();

  List<String> columns();

  /// Returns the bar fields it needs, without dollar sign, in lower case.
  List<String> fields();

  default int earlierDays() {
    return 0;
  }

  /// Computes one day.
  ///
  /// @param earlier the days before, oldest first; fewer than [#earlierDays] where the data begin
  /// @param target receives ticks x columns values, row by row; every one of them is written
  void compute(DayFrame day, List<DayFrame> earlier, float[] target);

  /// Begins a day in progress, whose bars come tick by tick.
  ///
  /// This default computes the whole day again at each tick, with later bars missing: correct for
  /// every provider, but slow. A [StreamedProvider] is faster.
  ///
  /// @param day all ticks of the day; a bar is missing until its tick
  /// @param earlier as in [#compute]
  default FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    int width = columns().size();
    float[] all = new float[day.ticks() * width];
    return (tick, target, at) -> {
      compute(day, earlier, all);
      System.arraycopy(all, tick * width, target, at, width);
    };
  }

  /// Returns the provider that an entry of a list of providers stands for: a name, or expressions.
  ///
  /// @param ticks bars of the longest day; 0 if the expressions have been checked before
  /// @throws ConfigException if there is none
  static FeatureProvider from(ConfigNode entry, int ticks) {
    return entry.isMapping() ? ExpressionFeatures.from(entry, ticks) : named(entry);
  }

  /// Returns the installed provider that `name` names.
  ///
  /// @throws ConfigException if there is none
  static FeatureProvider named(ConfigNode name) {
    List<FeatureProvider> installed = installed();
    for (FeatureProvider provider : installed) {
      if (provider.name().equals(name.asText())) {
        return provider;
      }
    }
    throw name.wrong("one of " + installed.stream().map(FeatureProvider::name).sorted().toList());
  }

  /// Returns all providers on the module or class path, built in or not.
  static List<FeatureProvider> installed() {
    return ServiceLoader.load(FeatureProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }
}
