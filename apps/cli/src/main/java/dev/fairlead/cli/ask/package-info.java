/**
 * Questions of a server to the person at the terminal: forms, pages to visit, answers in the place
 * of a model. The person sees the server that asks and the data that are sent, and may decline or
 * leave at any time. All text of a server passes {@link dev.fairlead.protocol.Printable} first.
 */
@NullMarked
package dev.fairlead.cli.ask;

import org.jspecify.annotations.NullMarked;
