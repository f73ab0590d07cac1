/** Applications on Spring Boot that serve MCP and use it. */
@NullMarked
package dev.fairlead.spring.boot.starter;

import org.jspecify.annotations.NullMarked;
