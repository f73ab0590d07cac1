/**
 * Auto-configuration for Spring Boot: beans that declare features are served over HTTP, and each
 * server of {@code fairlead.clients} has a client as a bean.
 */
@NullMarked
package dev.fairlead.spring.boot.starter;

import org.jspecify.annotations.NullMarked;
