/// Tests of stress conditions.
@NullMarked
package io.tranche.work.stress;

import org.jspecify.annotations.NullMarked;
