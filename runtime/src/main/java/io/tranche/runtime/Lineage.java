package io.tranche.runtime;

import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a model comes from; what is not known is null.
///
/// @param configSha256 of the resolved configuration it was trained with
/// @param ordersSha256 of the orders it was trained on
/// @param dataSha256 of what its bars were made by: the settings of the embedded market, or what a
///   feature store says of itself
/// @param version of Tranche that wrote the bundle
/// @param commit of that Tranche
/// @param sources one a member
/// @param firstDay the first day of the orders it was trained on
/// @param lastDay the last one: what comes after it was never seen
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
  /// @param iteration how many iterations it has behind it
  public record Source(String file, String sha256, @Nullable Long iteration) {}

  public Lineage {
    sources = List.copyOf(sources);
  }
}
