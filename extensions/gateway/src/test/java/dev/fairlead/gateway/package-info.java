/** Tests of the gateway, between real clients and real servers. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.gateway;
