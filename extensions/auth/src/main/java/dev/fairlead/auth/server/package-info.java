/**
 * The server side: {@link dev.fairlead.auth.server.ResourceServer} admits requests by their access
 * tokens.
 */
@NullMarked
package dev.fairlead.auth.server;

import org.jspecify.annotations.NullMarked;
