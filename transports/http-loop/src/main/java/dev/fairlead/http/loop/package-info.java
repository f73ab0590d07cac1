/**
 * An engine for plain HTTP/1.1: a few selector loops read the requests of all connections, and each
 * request is handled on a virtual thread of its own.
 */
@NullMarked
package dev.fairlead.http.loop;

import org.jspecify.annotations.NullMarked;
