/// Tests of the reference.
@NullMarked
package io.tranche.run.reference;

import org.jspecify.annotations.NullMarked;
