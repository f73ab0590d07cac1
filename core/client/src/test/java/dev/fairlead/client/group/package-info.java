/** Tests of groups, against servers that are scripted. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.client.group;
