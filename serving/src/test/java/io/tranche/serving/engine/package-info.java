@NullMarked
package io.tranche.serving.engine;

import org.jspecify.annotations.NullMarked;
