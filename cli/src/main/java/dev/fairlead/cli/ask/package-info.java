/**
 * What a server asks of the person at the terminal: forms, pages to visit, answers in the place of
 * a model. The person sees who asks and what is sent, and may decline or leave at any time. All
 * that a server says passes {@link dev.fairlead.protocol.Printable} first.
 */
@NullMarked
package dev.fairlead.cli.ask;

import org.jspecify.annotations.NullMarked;
