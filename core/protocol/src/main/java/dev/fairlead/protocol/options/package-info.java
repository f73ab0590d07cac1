/** The storage, change and check of options, for the builders of all modules. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.options;
