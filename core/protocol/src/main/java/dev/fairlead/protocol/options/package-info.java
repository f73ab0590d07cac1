/** How options are kept, changed and checked, for the builders of all modules. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.options;
