package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.McpServlet;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import jakarta.servlet.Servlet;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Measures server and clients with Micrometer: {@code mcp.server.operation.duration} and {@code
 * mcp.client.operation.duration}, timers by method and error, and the figures of the endpoint:
 * {@code mcp.server.http.*}.
 */
@AutoConfiguration(after = McpServletAutoConfiguration.class)
@ConditionalOnClass({MeterRegistry.class, MeterBinder.class})
public final class McpMetricsAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Servlet.class)
    static class Endpoint {
        @Bean
        @ConditionalOnBean(McpServlet.class)
        MeterBinder mcpEndpointMeters(McpServlet servlet) {
            return new EndpointMeters(servlet);
        }
    }

    /** Counts the request states that the server refused. */
    @Bean
    @ConditionalOnBean(McpServer.class)
    MeterBinder mcpRequestStateMeter(McpServer server) {
        return registry -> {
            for (RequestStateRefusal.Cause cause : RequestStateRefusal.Cause.values()) {
                FunctionCounter.builder(
                                "mcp.server.request_states.refused",
                                server,
                                counted -> counted.refusedRequestStates(cause))
                        .tag("cause", cause.label())
                        .description("Refused request states")
                        .register(registry);
            }
        };
    }

    /** Counts the responses of clients that the server dropped. */
    @Bean
    @ConditionalOnBean(McpServer.class)
    MeterBinder mcpDroppedResponsesMeter(McpServer server) {
        return registry ->
                FunctionCounter.builder(
                                "mcp.server.responses.dropped", server, McpServer::droppedResponses)
                        .description("Responses of clients that matched no question")
                        .register(registry);
    }

    /** Counts the features that the thread that reads their requests may run. */
    @Bean
    @ConditionalOnBean(McpServer.class)
    MeterBinder mcpQuickFeaturesMeter(McpServer server) {
        return registry ->
                Gauge.builder(
                                "mcp.server.features.quick",
                                server,
                                counted -> counted.quickFeatures().size())
                        .description("Features whose latest runs were quick")
                        .register(registry);
    }

    /** Outermost, so that it measures other interceptors as well. */
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
