/** Parts of clients that the packages of this module share. */
@NullMarked
package dev.fairlead.client.internal;

import org.jspecify.annotations.NullMarked;
