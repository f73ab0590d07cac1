/**
 * The display: records of the protocol as text. The functions are pure; a {@link
 * dev.fairlead.cli.view.Screen} says how wide the text may be, and whether it goes to a terminal at
 * all. Text of a server passes {@link dev.fairlead.protocol.Printable} first.
 */
@NullMarked
package dev.fairlead.cli.view;

import org.jspecify.annotations.NullMarked;
