/// Events that change the service, written to disk before anyone is told about them.
@NullMarked
package io.tranche.serving.journal;

import org.jspecify.annotations.NullMarked;
