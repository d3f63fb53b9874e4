package io.tranche.conformance.golden;

import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/// One golden file and how Tranche answers its cases.
///
/// A topic only answers; comparing, deviations and printing are the runner's.
public interface Topic {

  /// Returns the stem of the golden file, such as `qlib_data`.
  String name();

  /// Returns what Tranche gives for the case, in the shape of its `expected` node.
  ///
  /// Leaves that the golden file has and the answer lacks are mismatches, and the other way round.
  /// Where Qlib raises an error, the project's named exception is the answer: it is thrown.
  ///
  /// @param directory the golden directory, for the files that cases refer to
  /// @param file the whole golden file
  /// @param testCase one element of its `cases`
  JsonNode answer(Path directory, JsonNode file, JsonNode testCase);

  /// Whether Tranche can answer the case yet; if not, it is counted apart and never as passed.
  default boolean isAnswerable(JsonNode testCase) {
    return true;
  }

  /// Returns the relative tolerance for numbers; 0 means equal as the type of the golden number.
  double tolerance();

  /// Returns how far a number at `path` may be off where that is more than [#tolerance] allows.
  ///
  /// For differences of numbers: what is close to zero keeps the error of what it was made of.
  ///
  /// @param path into `expected`, such as `$.today[3][2]`
  default double absoluteTolerance(String path) {
    return 0;
  }
}
