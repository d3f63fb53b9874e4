@NullMarked
package io.tranche.run.play;

import org.jspecify.annotations.NullMarked;
