/// Tests of the decision service.
@NullMarked
package io.tranche.serving;

import org.jspecify.annotations.NullMarked;
