package io.tranche.config;

/// The file and line of a value.
///
/// @param file the file as the user names it, or a substitute such as `--set`
/// @param line from 1; 0 if there are no lines
record Origin(String file, int line) {

  /// Returns the place for an error message: `file:line: path`.
  String at(String path) {
    String place = line > 0 ? file + ":" + line : file;
    return path.isEmpty() ? place : place + ": " + path;
  }
}
