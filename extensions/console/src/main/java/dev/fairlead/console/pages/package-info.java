/** Static pages, and answers to requests of pages. */
@NullMarked
package dev.fairlead.console.pages;

import org.jspecify.annotations.NullMarked;
