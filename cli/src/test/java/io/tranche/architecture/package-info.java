/// The architecture, as tests.
@NullMarked
package io.tranche.architecture;

import org.jspecify.annotations.NullMarked;
