package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.Features;

import java.util.function.Consumer;

/**
 * A bean that declares tools, resources and prompts of the application's server.
 *
 * {@snippet :
 * @Bean
 * McpFeatures weather(Station station) {
 *     return features ->
 *             features.tool("forecast", "Tomorrow's weather", City.class, String.class)
 *                     .handle((city, call) -> station.forecast(city.name()));
 * }
 * }
 *
 * <p>Beans whose class has methods with {@code @McpTool}, {@code @McpResource} or
 * {@code @McpPrompt} declare their features by themselves. All are taken in once, when the server
 * is made; those of {@link org.springframework.core.annotation.Order @Order} in that order.
 */
@FunctionalInterface
public interface McpFeatures extends Consumer<Features<?>> {
    /**
     * Declares the features.
     *
     * @throws IllegalArgumentException if a feature of that name is there already; the application
     *     does not start
     */
    @Override
    void accept(Features<?> features);
}
