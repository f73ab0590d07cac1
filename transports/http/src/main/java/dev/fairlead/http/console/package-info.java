/** The contract between an HTTP endpoint and a console for people beside it. */
@NullMarked
package dev.fairlead.http.console;

import org.jspecify.annotations.NullMarked;
