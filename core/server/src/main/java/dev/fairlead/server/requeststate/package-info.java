/**
 * The state that a request carries from one round to the next through its client: sealed, so that
 * the client can neither read nor change it, and bound to its caller, method and arguments.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
@NullMarked
package dev.fairlead.server.requeststate;

import org.jspecify.annotations.NullMarked;
