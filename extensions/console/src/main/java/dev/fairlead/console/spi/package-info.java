/** The server that people try on the page of a console. */
@NullMarked
package dev.fairlead.console.spi;

import org.jspecify.annotations.NullMarked;
