/// Features and orders made of a store's instruments, each by itself and anywhere.
@NullMarked
package io.tranche.work.data;

import org.jspecify.annotations.NullMarked;
