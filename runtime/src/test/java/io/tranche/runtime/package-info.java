@NullMarked
package io.tranche.runtime;

import org.jspecify.annotations.NullMarked;
