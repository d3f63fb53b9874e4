/// Pages that are written from the code: keys, components, verbs, metrics, messages, exit codes.
@NullMarked
package io.tranche.site.reference;

import org.jspecify.annotations.NullMarked;
