/** What both sides of authorization have in common. */
@NullMarked
package dev.fairlead.auth;

import org.jspecify.annotations.NullMarked;
