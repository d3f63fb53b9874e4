/// Files and folders that become visible only when complete, locks, archives and hashes.
@NullMarked
package io.tranche.files;

import org.jspecify.annotations.NullMarked;
