package io.tranche.runtime;

import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a model comes from. Unknown values are null.
///
/// @param configSha256 of the resolved configuration it was trained with
/// @param ordersSha256 of the orders it was trained on
/// @param dataSha256 of the origin of its bars: the settings of the embedded market, or the
///   fingerprint of a feature store
/// @param version of Tranche that wrote the bundle
/// @param commit of that Tranche
/// @param sources one per member
/// @param firstDay the first day of the orders it was trained on
/// @param lastDay the last day; the model has seen nothing after it
public record Lineage(
    @Nullable String configSha256,
    @Nullable String ordersSha256,
    @Nullable String dataSha256,
    @Nullable String version,
    @Nullable String commit,
    List<Source> sources,
    @Nullable LocalDate firstDay,
    @Nullable LocalDate lastDay) {

  /// @param file its name without folders
  /// @param sha256 of the file
  /// @param iteration the number of training iterations
  public record Source(String file, String sha256, @Nullable Long iteration) {}

  public Lineage {
    sources = List.copyOf(sources);
  }
}
