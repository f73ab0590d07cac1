/**
 * The OAuth client: {@link dev.fairlead.auth.client.OAuth} finds the issuer of tokens for a server,
 * and obtains, stores and renews tokens.
 */
@NullMarked
package dev.fairlead.auth.client;

import org.jspecify.annotations.NullMarked;
