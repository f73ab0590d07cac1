/**
 * Common parts of the endpoints of one mount: filters, limits, rates, bodies and refusals of HTTP
 * requests, before a session receives their messages.
 */
@NullMarked
package dev.fairlead.http.endpoint;

import org.jspecify.annotations.NullMarked;
