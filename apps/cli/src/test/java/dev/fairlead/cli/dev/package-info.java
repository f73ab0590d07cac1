@NullMarked
package dev.fairlead.cli.dev;

import org.jspecify.annotations.NullMarked;
