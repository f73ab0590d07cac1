/** Tests of the display, word for word. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.cli.view;
