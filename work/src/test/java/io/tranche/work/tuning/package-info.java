@NullMarked
package io.tranche.work.tuning;

import org.jspecify.annotations.NullMarked;
