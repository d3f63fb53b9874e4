/// Events that change the service, written to disk before any request is answered.
@NullMarked
package io.tranche.serving.journal;

import org.jspecify.annotations.NullMarked;
