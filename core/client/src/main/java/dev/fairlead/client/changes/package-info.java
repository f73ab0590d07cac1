/**
 * The changes that a server reports: the stream that brings them, and the resources that are
 * watched.
 */
@NullMarked
package dev.fairlead.client.changes;

import org.jspecify.annotations.NullMarked;
