/** Rules for the project as a whole: module boundaries, and the requirements that tests prove. */
@NullMarked
package dev.fairlead.architecture;

import org.jspecify.annotations.NullMarked;
