/** Parts that both sides of authorization use. */
@NullMarked
package dev.fairlead.auth;

import org.jspecify.annotations.NullMarked;
