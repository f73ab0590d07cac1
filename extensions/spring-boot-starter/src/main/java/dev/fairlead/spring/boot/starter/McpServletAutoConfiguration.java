package dev.fairlead.spring.boot.starter;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.Peers;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.HandlerContext;
import dev.fairlead.servlet.McpServlet;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskDecorator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Serves the {@link McpServer} of the application in its servlet container. An {@link EventStore}
 * that is a bean keeps sessions and their streams, with {@link Peers} several nodes forward
 * requests to the owners of sessions, and an {@link HttpAuthorization} admits requests.
 */
@AutoConfiguration(after = McpServerAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(Servlet.class)
@ConditionalOnSingleCandidate(McpServer.class)
@ConditionalOnBooleanProperty(name = "fairlead.server.enabled", matchIfMissing = true)
public final class McpServletAutoConfiguration {
    /** The options; the application may have a bean of its own instead. */
    @Bean
    @ConditionalOnMissingBean
    HttpEndpoint mcpEndpoint(
            McpServerProperties properties,
            ObjectProvider<EventStore> events,
            ObjectProvider<Peers> peers,
            ObjectProvider<HttpConsole> consoles,
            ObjectProvider<HttpAuthorization> authorizations) {
        HttpEndpoint endpoint = reachable(properties);
        endpoint = properties.stateless() ? endpoint.stateless() : endpoint;
        PropertyMapper map = PropertyMapper.get();
        endpoint = map.from(properties::maxSessions).to(endpoint, HttpEndpoint::maxSessions);
        endpoint =
                map.from(properties::sessionIdleTimeout)
                        .to(endpoint, HttpEndpoint::sessionIdleTimeout);
        endpoint =
                map.from(properties::maxBody)
                        .as(size -> (int) size.toBytes())
                        .to(endpoint, HttpEndpoint::maxBody);
        endpoint = map.from(properties::maxRequests).to(endpoint, HttpEndpoint::maxRequests);
        endpoint = map.from(properties::maxResultWaits).to(endpoint, HttpEndpoint::maxResultWaits);
        endpoint =
                map.from(properties::requestRate)
                        .to(endpoint, (limited, rate) -> limited.requestRate(rate, 10 * rate));
        endpoint = map.from(properties::shutdownGrace).to(endpoint, HttpEndpoint::shutdownGrace);
        endpoint =
                map.from(authorizations::getIfAvailable).to(endpoint, HttpEndpoint::authorization);
        endpoint = map.from(events::getIfAvailable).to(endpoint, HttpEndpoint::eventStore);
        endpoint = map.from(consoles::getIfAvailable).to(endpoint, HttpEndpoint::console);
        return map.from(peers::getIfAvailable).to(endpoint, HttpEndpoint::peers);
    }

    /** Returns the endpoint with its path, origins and hosts. */
    private static HttpEndpoint reachable(McpServerProperties properties) {
        PropertyChecks checks = new PropertyChecks(McpServerProperties.PREFIX);
        HttpEndpoint at = checks.set("path", () -> Http.endpoint().path(properties.path()));
        HttpEndpoint pages =
                checks.set(
                        "allowed-origins",
                        () -> at.allowOrigins(array(properties.allowedOrigins())));
        HttpEndpoint sent =
                checks.set(
                        "allowed-headers",
                        () -> pages.allowHeaders(array(properties.allowedHeaders())));
        HttpEndpoint named =
                checks.set(
                        "allowed-hosts", () -> sent.allowHosts(array(properties.allowedHosts())));
        HttpEndpoint behind =
                checks.set(
                        "trusted-proxies",
                        () -> named.trustProxies(array(properties.trustedProxies())));
        HttpEndpoint all = properties.legacySse() ? behind.legacySse() : behind;
        List<String> paths = checks.set("legacy-sse", all::paths);
        String health = properties.health();
        if (health == null) {
            return all;
        }
        if (paths.contains(health)) {
            throw new InvalidPropertyException(
                    McpServerProperties.PREFIX
                            + ".health must be another path than those of MCP but was "
                            + health);
        }
        return checks.set("health", () -> all.health(health));
    }

    private static String[] array(List<String> values) {
        return values.toArray(String[]::new);
    }

    @Bean
    @ConditionalOnMissingBean
    McpServlet mcpServlet(
            McpServer server,
            HttpEndpoint endpoint,
            ObjectProvider<HandlerContext> contexts,
            ObjectProvider<TaskDecorator> decorators) {
        List<HandlerContext> all = new ArrayList<>(List.of(new RequestContext()));
        contexts.orderedStream().forEach(all::add);
        decorators.orderedStream().map(DecoratedContext::new).forEach(all::add);
        return new McpServlet(server, endpoint, request -> captured(all, request));
    }

    /** The first one is set first. */
    private static UnaryOperator<Runnable> captured(
            List<HandlerContext> contexts, HttpServletRequest request) {
        List<UnaryOperator<Runnable>> captured = new ArrayList<>();
        contexts.forEach(context -> captured.add(0, context.capture(request)));
        return task -> {
            Runnable inside = task;
            for (UnaryOperator<Runnable> context : captured) {
                inside = context.apply(inside);
            }
            return inside;
        };
    }

    @Bean
    ServletRegistrationBean<McpServlet> mcpServletRegistration(
            McpServlet servlet, HttpEndpoint endpoint) {
        String[] mappings =
                endpoint.paths().stream()
                        .map(McpServletAutoConfiguration::mapping)
                        .toArray(String[]::new);
        var registration = new ServletRegistrationBean<>(servlet, mappings);
        registration.setName("mcp");
        registration.setLoadOnStartup(1);
        return registration;
    }

    /**
     * Returns the mapping of a path: for a servlet container, / is the rest of an application, and
     * the empty text its root.
     */
    private static String mapping(String path) {
        return path.equals("/") ? "" : path;
    }
}
