package io.tranche.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/// What one command line did.
record Run(int status, String out, String err) {

  static Run of(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Run(status, out.toString(), err.toString());
  }
}
