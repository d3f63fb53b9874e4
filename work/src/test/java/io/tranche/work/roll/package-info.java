@NullMarked
package io.tranche.work.roll;

import org.jspecify.annotations.NullMarked;
