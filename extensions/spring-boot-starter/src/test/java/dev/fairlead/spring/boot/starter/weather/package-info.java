/** The application of the page about Spring Boot. */
@NullMarked
package dev.fairlead.spring.boot.starter.weather;

import org.jspecify.annotations.NullMarked;
