@NullMarked
package io.tranche.dashboard;

import org.jspecify.annotations.NullMarked;
