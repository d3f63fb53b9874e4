/// HTTP for browsers on this machine: requests, answers, files of the page, live messages.
@NullMarked
package io.tranche.dashboard.http;

import org.jspecify.annotations.NullMarked;
