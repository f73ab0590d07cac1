@NullMarked
package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.NullMarked;
