/** JSON values, reading and writing, binding to records, and JSON Schema. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.json;
