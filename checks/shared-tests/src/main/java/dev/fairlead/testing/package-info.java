/**
 * Suites for the task engine and its receivers over any store, in the package of the contract
 * suites that they build on.
 */
@NullMarked
package dev.fairlead.testing;

import org.jspecify.annotations.NullMarked;
