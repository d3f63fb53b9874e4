@NullMarked
package io.tranche.run;

import org.jspecify.annotations.NullMarked;
