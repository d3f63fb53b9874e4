/// What the native recipe is made of.
@NullMarked
package io.tranche.experiment;

import org.jspecify.annotations.NullMarked;
