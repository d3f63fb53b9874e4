@NullMarked
package io.tranche.conformance.data;

import org.jspecify.annotations.NullMarked;
