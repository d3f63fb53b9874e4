@NullMarked
package io.tranche.serving.app;

import org.jspecify.annotations.NullMarked;
