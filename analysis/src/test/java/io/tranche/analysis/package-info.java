@NullMarked
package io.tranche.analysis;

import org.jspecify.annotations.NullMarked;
