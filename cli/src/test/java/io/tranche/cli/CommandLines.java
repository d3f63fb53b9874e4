package io.tranche.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/// Runs the command lines of a file, one after the other, in a process of their own: they find the
/// files of the folder it works in, and do not each wait for a JVM. Stops at the first that fails.
///
/// The words of a line are separated by tabs.
final class CommandLines {

  private CommandLines() {}

  @SuppressWarnings("SystemOut") // the other process reads it
  public static void main(String[] arguments) throws IOException {
    var out = new PrintWriter(System.out, true, UTF_8);
    int status = 0;
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      out.println("$ tranche " + line.replace('\t', ' '));
      status = Main.run(out, out, line.split("\t"));
      out.flush();
      if (status != 0) {
        break;
      }
    }
    System.exit(status);
  }
}
