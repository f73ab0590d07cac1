/** The code of the documentation, and the tests that keep its frames and figures true. */
@NullMarked
package dev.fairlead.docs;

import org.jspecify.annotations.NullMarked;
