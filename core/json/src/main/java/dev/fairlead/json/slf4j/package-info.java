/** SLF4J, by which libraries log that Fairlead uses. */
@NullMarked
package dev.fairlead.json.slf4j;

import org.jspecify.annotations.NullMarked;
