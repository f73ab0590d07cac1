/** Sessions over Streamable HTTP, and the registry, limits and storage of all sessions. */
@NullMarked
package dev.fairlead.http.session;

import org.jspecify.annotations.NullMarked;
