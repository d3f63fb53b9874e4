@NullMarked
package io.tranche.cli;

import org.jspecify.annotations.NullMarked;
