@NullMarked
package io.tranche.work.start;

import org.jspecify.annotations.NullMarked;
