/// Work cut into pieces that can be done anywhere: by threads of this process or by a cluster.
@NullMarked
package io.tranche.work;

import org.jspecify.annotations.NullMarked;
