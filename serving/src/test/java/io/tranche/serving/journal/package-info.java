@NullMarked
package io.tranche.serving.journal;

import org.jspecify.annotations.NullMarked;
