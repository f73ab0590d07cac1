/**
 * The interfaces that you implement to serve a feature, and those that your code gets while it
 * runs.
 *
 * <p>A {@link dev.fairlead.server.handler.Handler} is the body of a tool, resource, prompt or
 * method. Its {@link dev.fairlead.server.handler.Call} reports progress and sends requests to the
 * client; the {@link dev.fairlead.server.handler.ClientSession} of the call outlives it.
 */
@NullMarked
package dev.fairlead.server.handler;

import org.jspecify.annotations.NullMarked;
