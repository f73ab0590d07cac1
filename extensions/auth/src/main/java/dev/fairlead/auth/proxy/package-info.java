/**
 * An authorization server of the MCP server itself, for an upstream provider that registers no
 * clients: {@link dev.fairlead.auth.proxy.AuthorizationProxy} registers them, asks people for their
 * consent, has them log in at the {@link dev.fairlead.auth.proxy.Upstream} and issues tokens of its
 * own.
 */
@NullMarked
package dev.fairlead.auth.proxy;

import org.jspecify.annotations.NullMarked;
