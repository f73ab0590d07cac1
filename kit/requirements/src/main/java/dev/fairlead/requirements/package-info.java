/** The annotation by which a test names the protocol requirements that it proves. */
package dev.fairlead.requirements;
