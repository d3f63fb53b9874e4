/// Logs of whole episodes, and the files and servers they are written to.
@NullMarked
package io.tranche.env.log;

import org.jspecify.annotations.NullMarked;
