@NullMarked
package io.tranche.work.judge;

import org.jspecify.annotations.NullMarked;
