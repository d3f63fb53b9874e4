package io.tranche.work.decide;

import io.tranche.market.DataException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The fields that are read from each bar.
final class BarFields {

  private static final List<String> TRADED =
      List.of("close", "volume", "high", "low", "bid", "ask");

  private BarFields() {}

  /// Returns the fields that the model needs, then those present that fills depend on.
  ///
  /// @param where the bars come from
  /// @param there the fields that the bars have
  /// @param tradesAtBars whether fills are assumed at the bars' prices
  /// @throws DataException if a field is missing
  static List<String> of(
      List<String> wanted, String where, Collection<String> there, boolean tradesAtBars) {
    var names = new ArrayList<>(wanted);
    for (String field : names) {
      if (!there.contains(field)) {
        throw new DataException(where, "a field " + field + ", which the model wants", there);
      }
    }
    for (String field : tradesAtBars ? TRADED : List.<String>of()) {
      String name = there.contains(field) ? field : field + "0";
      if (there.contains(name) && !names.contains(name)) {
        names.add(name);
      } else if (!there.contains(name) && (field.equals("close") || field.equals("volume"))) {
        throw new DataException(
            where, "a field " + field + " to assume fills by, or --fills", there);
      }
    }
    return List.copyOf(names);
  }
}
