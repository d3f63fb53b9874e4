/// The documentation as a site: plain pages with navigation, and a search that needs no server.
@NullMarked
package io.tranche.site;

import org.jspecify.annotations.NullMarked;
