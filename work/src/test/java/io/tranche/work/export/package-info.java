@NullMarked
package io.tranche.work.export;

import org.jspecify.annotations.NullMarked;
