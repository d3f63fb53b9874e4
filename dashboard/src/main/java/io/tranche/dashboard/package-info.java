/// The web page over run folders and a service.
@NullMarked
package io.tranche.dashboard;

import org.jspecify.annotations.NullMarked;
