@NullMarked
package io.tranche.work.data;

import org.jspecify.annotations.NullMarked;
