/// What every verb shares with the terminal: exit codes, progress, Ctrl-C and the version.
@NullMarked
package io.tranche.cli.console;

import org.jspecify.annotations.NullMarked;
