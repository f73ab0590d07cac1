@NullMarked
package dev.fairlead.cli.hosts;

import org.jspecify.annotations.NullMarked;
