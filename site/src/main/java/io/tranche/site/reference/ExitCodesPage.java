package io.tranche.site.reference;

import io.tranche.cli.console.ExitCode;

/// The exit codes of every verb.
final class ExitCodesPage {

  private ExitCodesPage() {}

  static String text() {
    var page =
        new StringBuilder(
            Reference.top(
                "Exit codes",
                "For people who call Tranche from a script. After reading, you know what each exit code means."));
    page.append("| code | meaning |\n|---|---|\n");
    ExitCode.meanings()
        .forEach((code, meaning) -> page.append("| %d | %s |\n".formatted(code, meaning)));
    return page.toString();
  }
}
