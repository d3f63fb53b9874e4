@NullMarked
package io.tranche.cli.replay;

import org.jspecify.annotations.NullMarked;
