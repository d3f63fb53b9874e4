/// From a user's own bars to a judged agent in one command.
@NullMarked
package io.tranche.cli.start;

import org.jspecify.annotations.NullMarked;
