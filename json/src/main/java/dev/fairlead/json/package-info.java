/** JSON values, reading, writing, binding to records, JSON Schema generation and validation. */
@NullMarked
package dev.fairlead.json;

import org.jspecify.annotations.NullMarked;
