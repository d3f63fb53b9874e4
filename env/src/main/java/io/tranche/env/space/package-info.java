/// The spaces that observations and actions lie in, and their values.
@NullMarked
package io.tranche.env.space;

import org.jspecify.annotations.NullMarked;
