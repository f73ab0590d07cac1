/**
 * One MCP server that fronts several.
 *
 * <p>{@link dev.fairlead.gateway.Gateway#named} begins one. To its clients it is a server like any
 * other; to the servers behind it, each of its clients is a client of their own.
 */
@NullMarked
package dev.fairlead.gateway;

import org.jspecify.annotations.NullMarked;
