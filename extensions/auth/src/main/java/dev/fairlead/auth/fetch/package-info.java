/**
 * Fetches from URLs that a peer has named. Addresses are resolved once, all of them checked, and
 * connected to as checked; sizes and times are bounded; no document leads elsewhere unchecked.
 */
@NullMarked
package dev.fairlead.auth.fetch;

import org.jspecify.annotations.NullMarked;
