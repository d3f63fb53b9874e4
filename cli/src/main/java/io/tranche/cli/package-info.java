/// The command line: one class per verb, results on standard output, everything else on standard
/// error.
@NullMarked
package io.tranche.cli;

import org.jspecify.annotations.NullMarked;
