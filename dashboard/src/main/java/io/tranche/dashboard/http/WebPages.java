package io.tranche.dashboard.http;

/// Answers what is asked under `/api`.
@FunctionalInterface
public interface WebPages {

  /// Called by several threads; may read files.
  ///
  /// @throws WebException to answer with an error
  WebAnswer answer(WebRequest request);
}
