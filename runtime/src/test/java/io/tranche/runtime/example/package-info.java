/// How a desk embeds the runtime, as docs/runtime.md shows it.
@NullMarked
package io.tranche.runtime.example;

import org.jspecify.annotations.NullMarked;
