/// The journal of a service as evidence: checked and exported.
@NullMarked
package io.tranche.cli.journal;

import org.jspecify.annotations.NullMarked;
