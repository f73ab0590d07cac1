/**
 * The client side of Streamable HTTP.
 *
 * <p>A {@link dev.fairlead.http.client.HttpConnector} names the address of the server and the
 * options of connections; each connection made with it has threads and streams of its own, which
 * end when it is closed.
 */
@NullMarked
package dev.fairlead.http.client;

import org.jspecify.annotations.NullMarked;
