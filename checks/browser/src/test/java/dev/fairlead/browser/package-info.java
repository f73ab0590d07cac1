/** Tests in which a person uses a real browser. */
@NullMarked
package dev.fairlead.browser;

import org.jspecify.annotations.NullMarked;
