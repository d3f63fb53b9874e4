@NullMarked
package io.tranche.cluster;

import org.jspecify.annotations.NullMarked;
