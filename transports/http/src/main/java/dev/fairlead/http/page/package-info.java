/** Pages for people that endpoints answer with. */
@NullMarked
package dev.fairlead.http.page;

import org.jspecify.annotations.NullMarked;
