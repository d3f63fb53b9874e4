package io.tranche.env.log;

import java.io.IOException;
import java.io.UncheckedIOException;

/// An operation that writes a log to a file or a server.
@FunctionalInterface
interface FileAction {

  void run() throws IOException;

  /// @throws UncheckedIOException if it fails
  static void perform(FileAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
