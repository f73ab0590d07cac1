/** Support for the tests of several modules. It depends on no module, so that any may use it. */
@NullMarked
package dev.fairlead.test.support;

import org.jspecify.annotations.NullMarked;
