@NullMarked
package io.tranche.conformance;

import org.jspecify.annotations.NullMarked;
