/// A replay of recorded or generated bars through a runtime or a service.
@NullMarked
package io.tranche.cli.replay;

import org.jspecify.annotations.NullMarked;
