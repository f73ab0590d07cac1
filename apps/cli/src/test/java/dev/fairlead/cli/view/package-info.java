/** Tests of what people see, word for word. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.cli.view;
