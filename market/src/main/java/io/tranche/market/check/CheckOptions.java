package io.tranche.market.check;

import io.tranche.market.table.ColumnMapping;

/// How a check reads data and how much it reports.
///
/// @param mapping the role of each column
/// @param findingsARule how many findings of one rule are listed, at least 1
/// @param longRun the shortest run of missing bars that is reported, at least 1
public record CheckOptions(ColumnMapping mapping, int findingsARule, int longRun) {

  public static final CheckOptions DEFAULT = new CheckOptions(ColumnMapping.DEFAULT, 20, 5);

  public CheckOptions {
    if (findingsARule < 1 || longRun < 1) {
      throw new IllegalArgumentException(
          "findingsARule and longRun must be at least 1, was %d and %d"
              .formatted(findingsARule, longRun));
    }
  }
}
