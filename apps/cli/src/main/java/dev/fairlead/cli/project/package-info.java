/** New projects, from the templates in the resources of this package. */
@NullMarked
package dev.fairlead.cli.project;

import org.jspecify.annotations.NullMarked;
