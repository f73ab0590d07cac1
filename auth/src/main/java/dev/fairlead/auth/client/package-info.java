/**
 * The OAuth client: {@link dev.fairlead.auth.client.OAuth} finds out who issues tokens for a
 * server, gets them, keeps them and renews them.
 */
@NullMarked
package dev.fairlead.auth.client;

import org.jspecify.annotations.NullMarked;
