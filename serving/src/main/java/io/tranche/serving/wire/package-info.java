/// Requests and answers as JSON and as bytes, for both ends of the wire.
@NullMarked
package io.tranche.serving.wire;

import org.jspecify.annotations.NullMarked;
