/// Which components of a configuration go together.
@NullMarked
package io.tranche.run.reference;

import org.jspecify.annotations.NullMarked;
