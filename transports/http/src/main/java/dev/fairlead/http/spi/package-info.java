/**
 * The interface between Fairlead's endpoint and an HTTP engine: an engine hands each request as an
 * {@link dev.fairlead.http.spi.HttpExchange} to the {@link dev.fairlead.http.spi.Route} of its
 * path. Nothing here depends on MCP.
 */
@NullMarked
package dev.fairlead.http.spi;

import org.jspecify.annotations.NullMarked;
