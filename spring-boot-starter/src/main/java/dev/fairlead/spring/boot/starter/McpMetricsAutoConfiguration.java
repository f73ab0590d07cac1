package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.McpServer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Measures server and clients with Micrometer: {@code mcp.server.operation.duration} and {@code
 * mcp.client.operation.duration}, timers by method and error, and {@code mcp.server.sessions}.
 */
@AutoConfiguration(before = {McpServerAutoConfiguration.class, McpClientAutoConfiguration.class})
@ConditionalOnClass({MeterRegistry.class, MeterBinder.class})
public final class McpMetricsAutoConfiguration {
    @Bean
    MeterBinder mcpSessionMeter(ObjectProvider<McpServer> servers) {
        return registry ->
                servers.ifUnique(
                        server ->
                                Gauge.builder("mcp.server.sessions", server, McpServer::sessions)
                                        .description("Open sessions")
                                        .register(registry));
    }

    /** Outermost, so that it measures what other interceptors do, too. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    McpServerCustomizer mcpServerMeter(ObjectProvider<MeterRegistry> registries) {
        return server ->
                registries.ifUnique(registry -> server.intercept(MethodMeter.ofServer(registry)));
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    McpClientCustomizer mcpClientMeter(ObjectProvider<MeterRegistry> registries) {
        return (name, client) ->
                registries.ifUnique(
                        registry -> client.intercept(MethodMeter.ofClient(registry, name)));
    }
}
