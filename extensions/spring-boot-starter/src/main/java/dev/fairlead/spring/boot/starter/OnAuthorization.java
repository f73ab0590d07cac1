package dev.fairlead.spring.boot.starter;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether the configuration contains any property of authorization, complete or not: an incomplete
 * one must not start a server that is open to all callers.
 */
final class OnAuthorization extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(
            ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("MCP authorization");
        boolean isSaid =
                Binder.get(context.getEnvironment())
                        .bind(
                                McpAuthorizationProperties.PREFIX,
                                Bindable.mapOf(String.class, Object.class))
                        .isBound();
        return isSaid
                ? ConditionOutcome.match(message.because("properties tell of it"))
                : ConditionOutcome.noMatch(message.because("no property configures it"));
    }
}
