package io.tranche.config;

/// Where a value was written.
///
/// @param file the file as the user names it, or a substitute such as `--set`
/// @param line counted from 1; 0 where there are no lines
record Origin(String file, int line) {

  /// Returns the place for an error message: `file:line: path`.
  String at(String path) {
    String place = line > 0 ? file + ":" + line : file;
    return path.isEmpty() ? place : place + ": " + path;
  }
}
