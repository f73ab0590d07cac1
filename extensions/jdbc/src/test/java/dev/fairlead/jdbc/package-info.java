@NullMarked
package dev.fairlead.jdbc;

import org.jspecify.annotations.NullMarked;
