package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.server.McpServer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Reports to Actuator the health of the {@link McpServer} of the application. */
@AutoConfiguration(after = McpServerAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(McpServer.class)
@ConditionalOnBooleanProperty(name = "fairlead.server.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("mcp")
public final class McpHealthAutoConfiguration {
    /**
     * Reports {@code UP} until the server is closed. Details are its sessions and, if work of a
     * lasting thread keeps failing, {@code failing} with the message of its log.
     */
    @Bean
    @ConditionalOnMissingBean(name = "mcpHealthIndicator")
    HealthIndicator mcpHealthIndicator(McpServer server, McpServerLifecycle lifecycle) {
        return () -> {
            Health.Builder health =
                    (lifecycle.isRunning() ? Health.up() : Health.outOfService())
                            .withDetail("sessions", server.sessions());
            String failing = LastingLoop.failing();
            return (failing == null ? health : health.withDetail("failing", failing)).build();
        };
    }
}
